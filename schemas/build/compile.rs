//! From the text of a schema to tables: see `src/table.rs` for what they say.
//!
//! What stands here knows JSON Schema, as much of it as the pinned schema uses, and nothing of EPCIS.

use crate::pattern::TEXTS;
use crate::words::slot_of;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The node that says nothing.
const ANYTHING: usize = 0;

/// The tables of a schema as Rust, or why it cannot be compiled, with the place.
pub(crate) fn compile(text: &str) -> Result<String, String> {
    let schema: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut compiler = Compiler {
        schema: &schema,
        nodes: Vec::new(),
        texts: Vec::new(),
        ids: BTreeMap::new(),
        places: BTreeMap::new(),
        stack: Vec::new(),
        merging: Vec::new(),
    };
    compiler.node(&[])?;
    let root = compiler.node(&[String::new()])?;
    let mut rust = format!("pub(super) const ROOT: Id = {root};\n");
    let _ = writeln!(
        rust,
        "pub(super) static ANYTHING: Node = {};",
        compiler.texts[ANYTHING]
    );
    let _ = writeln!(
        rust,
        "pub(super) static NODES: [Node; {}] = [",
        compiler.nodes.len()
    );
    for node in &compiler.texts {
        let _ = writeln!(rust, "{node},");
    }
    rust.push_str("];\n");
    Ok(rust)
}

struct Compiler<'s> {
    schema: &'s Value,
    nodes: Vec<Made>,
    /// The nodes as Rust.
    texts: Vec<String>,
    /// The nodes by what they say.
    ids: BTreeMap<String, usize>,
    /// The nodes by the places of the schema that they merge.
    places: BTreeMap<Vec<String>, usize>,
    /// The nodes that are being made: a schema that refers to itself has no end here.
    stack: Vec<Vec<String>>,
    /// The places that are being merged, likewise.
    merging: Vec<String>,
}

/// A node.
#[derive(Clone, Default)]
struct Made {
    rules: Vec<(String, Test)>,
    /// The nodes of the members.
    properties: Vec<(String, usize)>,
    /// The node of the entries.
    items: Option<usize>,
    is_branch: bool,
    holds_branches: bool,
}

/// What is assumed of the value while rules are merged.
#[derive(Clone)]
enum Case {
    /// Nothing: a condition stops the merging.
    Unknown,
    NoObject,
    /// The member that decides has this value.
    Word(String),
    /// It has another one.
    Otherwise,
}

/// All that several places of the schema say of one value.
#[derive(Default)]
struct Merged {
    /// Place and test, the test as Rust.
    rules: Vec<(String, Test)>,
    properties: Vec<(String, Vec<String>)>,
    items: Vec<String>,
    conditions: Vec<Condition>,
}

#[derive(Clone, PartialEq)]
enum Test {
    NoOther(Vec<String>),
    AnyOf(Vec<usize>),
    OneOf(Vec<String>),
    Format(&'static str),
    MinItems(u64),
    Nothing,
    Pattern(String),
    Names(Vec<String>, bool),
    Required(Vec<String>),
    Type(&'static str),
    Unique,
}

/// Whether a member has one of some values.
struct Condition {
    member: String,
    words: Vec<String>,
    is_negated: bool,
    needs_object: bool,
}

impl Condition {
    /// Whether it holds of a value of which a case is assumed.
    fn holds(&self, case: &Case) -> bool {
        let holds = match case {
            Case::Unknown | Case::Otherwise => false,
            Case::NoObject => !self.needs_object,
            Case::Word(word) => self.words.contains(word),
        };
        holds != self.is_negated
    }
}

impl<'s> Compiler<'s> {
    /// The node that merges these places of the schema.
    fn node(&mut self, places: &[String]) -> Result<usize, String> {
        if let Some(&id) = self.places.get(places) {
            return Ok(id);
        }
        if self.stack.iter().any(|open| open == places) {
            return Err(format!("`{}` refers to itself", places.join("`, `")));
        }
        self.stack.push(places.to_vec());
        let outer = std::mem::take(&mut self.merging);
        let merged = self.merge_all(places, &Case::Unknown)?;
        let id = match merged.conditions.first() {
            None => self.plain(&merged)?,
            Some(_) => self.branch(places, &merged)?,
        };
        self.merging = outer;
        self.stack.pop();
        self.places.insert(places.to_vec(), id);
        Ok(id)
    }

    fn merge_all(&mut self, places: &[String], case: &Case) -> Result<Merged, String> {
        let mut merged = Merged::default();
        for place in places {
            self.merge(place, case, &mut merged)?;
        }
        Ok(merged)
    }

    /// Adds what one place of the schema says.
    fn merge(&mut self, place: &str, case: &Case, merged: &mut Merged) -> Result<(), String> {
        if self.merging.iter().any(|open| open == place) {
            return Err(format!("`{place}` refers to itself"));
        }
        self.merging.push(place.to_owned());
        let done = self.merge_open(place, case, merged);
        self.merging.pop();
        done
    }

    fn merge_open(&mut self, place: &str, case: &Case, merged: &mut Merged) -> Result<(), String> {
        let schema = self.at(place)?;
        let Some(keywords) = schema.as_object() else {
            return Err(format!("`{place}` is no object"));
        };
        if let Some(target) = keywords.get("$ref") {
            if keywords.len() > 1 {
                return Err(format!("`{place}` has keywords beside its `$ref`"));
            }
            let target = target.as_str().and_then(|target| target.strip_prefix('#'));
            let target = target.ok_or_else(|| {
                format!("`{place}/$ref` leads out of the schema, which is not known here")
            })?;
            return self.merge(target, case, merged);
        }
        let mut keywords: Vec<(&str, &Value)> = keywords
            .iter()
            .map(|(name, value)| (name.as_str(), value))
            .collect();
        // The order in which errors of one value are told.
        let order = |name: &str| ORDER.iter().position(|known| *known == name);
        if let Some((name, _)) = keywords
            .iter()
            .find(|(name, _)| order(name).is_none() && !(place.is_empty() && ABOUT.contains(name)))
        {
            return Err(format!("the keyword at `{place}/{name}` is not known here"));
        }
        keywords.sort_by_key(|(name, _)| order(name));
        for (name, value) in keywords {
            if !ABOUT.contains(&name) {
                self.keyword(place, name, value, case, merged)?;
            }
        }
        Ok(())
    }

    fn keyword(
        &mut self,
        schema: &str,
        name: &str,
        value: &Value,
        case: &Case,
        merged: &mut Merged,
    ) -> Result<(), String> {
        let place = format!("{schema}/{name}");
        let unknown = || format!("`{place}` is `{value}`, which is not known here");
        let mut rule = |test: Test| merged.rules.push((place.clone(), test));
        match name {
            "type" => {
                let known = TYPES.iter().find(|(name, _)| value == *name);
                rule(Test::Type(known.ok_or_else(unknown)?.1));
            }
            "enum" => rule(Test::OneOf(words(value).ok_or_else(unknown)?)),
            "required" => rule(Test::Required(words(value).ok_or_else(unknown)?)),
            "minItems" => match value.as_u64().ok_or_else(unknown)? {
                0 => {}
                least => rule(Test::MinItems(least)),
            },
            "pattern" => {
                let known = TEXTS.iter().find(|(text, _)| value == *text);
                let (_, pattern) = known.ok_or_else(unknown)?;
                rule(Test::Pattern(format!("{pattern:?}")));
            }
            "format" => {
                let known = FORMATS.iter().find(|(name, _)| value == *name);
                rule(Test::Format(known.ok_or_else(unknown)?.1));
            }
            "uniqueItems" => {
                if value.as_bool().ok_or_else(unknown)? {
                    rule(Test::Unique);
                }
            }
            "additionalProperties" => {
                if *value != Value::Bool(false) {
                    return Err(unknown());
                }
                let properties = self
                    .at(schema)?
                    .get("properties")
                    .and_then(Value::as_object);
                let names = properties
                    .into_iter()
                    .flat_map(Map::keys)
                    .cloned()
                    .collect();
                rule(Test::NoOther(names));
            }
            "propertyNames" => {
                let (mut words, mut uris) = (Vec::new(), false);
                self.names(&place, &mut words, &mut uris)?;
                rule(Test::Names(words, uris));
            }
            "not" => {
                if value.as_object().is_none_or(|schema| !schema.is_empty()) {
                    return Err(unknown());
                }
                rule(Test::Nothing);
            }
            "anyOf" => {
                let choices = value.as_array().ok_or_else(unknown)?;
                let places = (0..choices.len()).map(|at| format!("{place}/{at}"));
                let ids: Result<Vec<usize>, String> =
                    places.map(|choice| self.node(&[choice])).collect();
                merged.rules.push((place, Test::AnyOf(ids?)));
            }
            "allOf" => {
                for at in 0..value.as_array().ok_or_else(unknown)?.len() {
                    self.merge(&format!("{place}/{at}"), case, merged)?;
                }
            }
            "properties" => {
                for name in value.as_object().ok_or_else(unknown)?.keys() {
                    let property = format!("{place}/{}", escaped(name));
                    match merged
                        .properties
                        .iter_mut()
                        .find(|(known, _)| known == name)
                    {
                        Some((_, places)) => places.push(property),
                        None => merged.properties.push((name.clone(), vec![property])),
                    }
                }
            }
            "items" => merged.items.push(place),
            "if" => {
                let condition = self.condition(&place)?;
                if !matches!(case, Case::Unknown) && condition.holds(case) {
                    self.merge(&format!("{schema}/then"), case, merged)?;
                }
                merged.conditions.push(condition);
            }
            "then" if self.at(schema)?.get("if").is_some() => {}
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// The names that a schema of names allows.
    fn names(&self, place: &str, words: &mut Vec<String>, uris: &mut bool) -> Result<(), String> {
        let unknown = || format!("`{place}` is no rule about names that is known here");
        let keywords = self.at(place)?.as_object().ok_or_else(unknown)?;
        let is = |known: &[&str]| {
            keywords.len() == known.len() && known.iter().all(|name| keywords.contains_key(*name))
        };
        if is(&["anyOf"]) {
            let choices = keywords.get("anyOf").and_then(Value::as_array);
            for at in 0..choices.ok_or_else(unknown)?.len() {
                self.names(&format!("{place}/anyOf/{at}"), words, uris)?;
            }
            return Ok(());
        }
        if let Some(target) = keywords.get("$ref").filter(|_| is(&["$ref"])) {
            let target = target.as_str().and_then(|target| target.strip_prefix('#'));
            return self.names(target.ok_or_else(unknown)?, words, uris);
        }
        let is_string = keywords.get("type").is_some_and(|name| name == "string");
        match (keywords.get("enum"), keywords.get("format")) {
            (Some(list), None) if is_string && is(&["type", "enum"]) => {
                words.extend(self::words(list).ok_or_else(unknown)?);
            }
            (None, Some(format)) if format == "uri" && is_string && is(&["type", "format"]) => {
                *uris = true;
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// A condition: that a member has one of some values, or that it has none of them.
    fn condition(&self, place: &str) -> Result<Condition, String> {
        let unknown = || format!("`{place}` is no condition that is known here");
        let mut keywords = self.at(place)?.as_object().ok_or_else(unknown)?;
        let is_negated = keywords.contains_key("not");
        if is_negated {
            if keywords.len() > 1 {
                return Err(unknown());
            }
            keywords = keywords
                .get("not")
                .and_then(Value::as_object)
                .ok_or_else(unknown)?;
        }
        let needs_object = match keywords.get("type") {
            None => false,
            Some(name) if name == "object" => true,
            Some(_) => return Err(unknown()),
        };
        if keywords.len() != 1 + usize::from(needs_object) {
            return Err(unknown());
        }
        let properties = keywords.get("properties").and_then(Value::as_object);
        let mut properties = properties.ok_or_else(unknown)?.iter();
        let (Some((member, value)), None) = (properties.next(), properties.next()) else {
            return Err(unknown());
        };
        let value = value.as_object().filter(|value| value.len() == 1);
        let words = value.and_then(|value| words(value.get("enum")?));
        Ok(Condition {
            member: member.clone(),
            words: words.ok_or_else(unknown)?,
            is_negated,
            needs_object,
        })
    }

    /// The node of a value about which nothing must be known before.
    fn plain(&mut self, merged: &Merged) -> Result<usize, String> {
        let mut properties = Vec::new();
        for (name, places) in &merged.properties {
            properties.push((name.clone(), self.node(places)?));
        }
        let items = match merged.items.as_slice() {
            [] => None,
            places => Some(self.node(places)?),
        };
        let mut below = properties.iter().map(|(_, id)| *id).chain(items);
        let holds_branches =
            below.any(|id| self.nodes[id].is_branch || self.nodes[id].holds_branches);
        self.make(Made {
            rules: merged.rules.clone(),
            properties,
            items,
            is_branch: false,
            holds_branches,
        })
    }

    fn make(&mut self, made: Made) -> Result<usize, String> {
        let mut members = Members::of(&made);
        let mut rules = String::new();
        for (place, test) in &made.rules {
            let test = match test {
                Test::AnyOf(choices) => {
                    // A choice between what members are there is made when they have been seen.
                    let known = members.clone();
                    let given = self.choices(&made, choices, &mut members)?;
                    if given.is_none() {
                        members = known;
                    }
                    let given = given.unwrap_or_default();
                    format!("Test::AnyOf(Choice {{ nodes: &{choices:?}, given: &{given:?} }})")
                }
                other => rust(other)?,
            };
            let _ = write!(rules, "Rule {{ place: {place:?}, test: {test} }}, ");
        }
        let (object, kinds) = (members.rust(&made)?, made.kinds());
        let items = made
            .items
            .map_or("None".to_owned(), |id| format!("Some({id})"));
        let holds_branches = made.holds_branches;
        let text = format!(
            "Node {{ rules: &[{rules}], kinds: {kinds}, object: {object}, items: {items}, branch: None, holds_branches: {holds_branches} }}"
        );
        Ok(self.add(text, made))
    }

    /// The sets of facts about the members of an object, any of which makes one of some choices hold; nothing where choices
    /// are about more than that. The members are known to be valid by themselves.
    fn choices(
        &mut self,
        object: &Made,
        choices: &[usize],
        members: &mut Members,
    ) -> Result<Option<Vec<u64>>, String> {
        let mut sets = Vec::new();
        for &choice in choices {
            let Some(more) = self.facts(object, choice, members)? else {
                return Ok(None);
            };
            sets.extend(more);
        }
        Ok(Some(sets).filter(|sets| sets.len() <= MOST_SETS && members.fit()))
    }

    fn facts(
        &mut self,
        object: &Made,
        choice: usize,
        members: &mut Members,
    ) -> Result<Option<Vec<u64>>, String> {
        let choice = self.nodes[choice].clone();
        if choice.is_branch || choice.items.is_some() {
            return Ok(None);
        }
        let mut sets = vec![0_u64];
        for (_, test) in &choice.rules {
            let more = match test {
                Test::Type(_) if object.kinds() == choice.kinds() => continue,
                Test::Required(names) => {
                    vec![
                        names
                            .iter()
                            .fold(0, |set, name| set | members.present(name)),
                    ]
                }
                Test::AnyOf(choices) => match self.choices(object, choices, members)? {
                    Some(more) => more,
                    None => return Ok(None),
                },
                _ => return Ok(None),
            };
            let both = |one: &u64| more.iter().map(|other| one | other).collect::<Vec<_>>();
            sets = sets.iter().flat_map(both).collect();
        }
        for (name, wanted) in &choice.properties {
            let known = object.properties.iter().find(|(known, _)| known == name);
            let known = known.map_or(ANYTHING, |(_, id)| *id);
            let Some(rest) = self.beyond(*wanted, known)? else {
                continue;
            };
            let fact = members.fact(name, rest);
            sets.iter_mut().for_each(|set| *set |= fact);
        }
        Ok(Some(sets))
    }

    /// What a node says beyond what another one says.
    fn beyond(&mut self, wanted: usize, known: usize) -> Result<Option<usize>, String> {
        let mut rest = self.nodes[wanted].clone();
        if rest.is_branch {
            return Ok((wanted != known).then_some(wanted));
        }
        let known = &self.nodes[known];
        rest.rules.retain(|(_, test)| !known.implies(test));
        rest.items = rest.items.filter(|&items| {
            !known
                .items
                .is_some_and(|known| self.is_implied(items, known))
        });
        rest.properties.retain(|(name, wanted)| {
            let known = known.properties.iter().find(|(known, _)| known == name);
            !known.is_some_and(|(_, known)| self.is_implied(*wanted, *known))
        });
        if rest.rules.is_empty() && rest.items.is_none() && rest.properties.is_empty() {
            return Ok(None);
        }
        self.make(rest).map(Some)
    }

    /// Whether a node says nothing beyond what another one says.
    fn is_implied(&self, wanted: usize, known: usize) -> bool {
        let (rest, by) = (&self.nodes[wanted], &self.nodes[known]);
        let property = |name: &String| by.properties.iter().find(|(known, _)| known == name);
        wanted == known
            || (!rest.is_branch
                && !by.is_branch
                && rest.rules.iter().all(|(_, test)| by.implies(test))
                && rest.items.is_none_or(|items| {
                    by.items.is_some_and(|known| self.is_implied(items, known))
                })
                && rest.properties.iter().all(|(name, wanted)| {
                    property(name).is_some_and(|(_, known)| self.is_implied(*wanted, *known))
                }))
    }

    /// The node of a value whose rules depend on a member.
    fn branch(&mut self, places: &[String], merged: &Merged) -> Result<usize, String> {
        let here = places.join("`, `");
        let Some(member) = merged.conditions.first().map(|first| first.member.clone()) else {
            return Err(format!("`{here}` has no condition"));
        };
        if merged
            .conditions
            .iter()
            .any(|condition| condition.member != member)
        {
            return Err(format!("`{here}` has conditions on several members"));
        }
        let required = merged.rules.iter().find(|(_, test)| match test {
            Test::Required(names) => names.contains(&member),
            _ => false,
        });
        // Without it every condition would hold at once, and only that it is missing is worth saying.
        let Some((place, _)) = required else {
            return Err(format!(
                "`{here}` does not require `{member}`, on which its conditions depend"
            ));
        };
        let mut words: Vec<String> = Vec::new();
        for word in merged
            .conditions
            .iter()
            .flat_map(|condition| &condition.words)
        {
            if !words.contains(word) {
                words.push(word.clone());
            }
        }
        let mut ids = Vec::new();
        let known = (member.as_str(), words.as_slice());
        for word in &words {
            ids.push(self.case(places, &Case::Word(word.clone()), known)?);
        }
        let otherwise = self.case(places, &Case::Otherwise, known)?;
        let no_object = self.case(places, &Case::NoObject, known)?;
        let below = ids.iter().chain([&otherwise, &no_object]);
        let holds_branches = below.clone().any(|&id| self.nodes[id].holds_branches);
        let text = format!(
            "Node {{ rules: &[], kinds: 63, object: None, items: None, branch: Some(&Branch {{ member: {member:?}, place: {place:?}, \
             cases: {}, nodes: &{ids:?}, otherwise: {otherwise}, no_object: {no_object} }}), holds_branches: {holds_branches} }}",
            table(&words)?
        );
        let made = Made {
            is_branch: true,
            holds_branches,
            ..Made::default()
        };
        Ok(self.add(text, made))
    }

    /// The node where one case is assumed; conditions that came only with it must know no other cases.
    fn case(
        &mut self,
        places: &[String],
        case: &Case,
        (member, words): (&str, &[String]),
    ) -> Result<usize, String> {
        let merged = self.merge_all(places, case)?;
        let is_known = |condition: &Condition| {
            condition.member == member && condition.words.iter().all(|word| words.contains(word))
        };
        if !merged.conditions.iter().all(is_known) {
            let here = places.join("`, `");
            return Err(format!("`{here}` has conditions within conditions"));
        }
        self.plain(&merged)
    }

    fn add(&mut self, text: String, made: Made) -> usize {
        if let Some(&id) = self.ids.get(&text) {
            return id;
        }
        let id = self.nodes.len();
        self.nodes.push(made);
        self.ids.insert(text.clone(), id);
        self.texts.push(text);
        id
    }

    fn at(&self, place: &str) -> Result<&'s Value, String> {
        let found = self.schema.pointer(place);
        found.ok_or_else(|| format!("`{place}` is referred to, but not there"))
    }
}

impl Made {
    /// The kinds of value that it allows, as bits.
    fn kinds(&self) -> u8 {
        self.rules.iter().fold(63, |kinds, (_, test)| match test {
            Test::Type(name) => {
                let bit = TYPES.iter().position(|(_, known)| known == name);
                kinds & bit.map_or(0, |bit| 1 << bit)
            }
            Test::Nothing => 0,
            _ => kinds,
        })
    }

    /// Whether a value of which this holds passes a test.
    fn implies(&self, wanted: &Test) -> bool {
        self.rules.iter().any(|(_, known)| match (wanted, known) {
            (Test::MinItems(wanted), Test::MinItems(known)) => known >= wanted,
            _ => known == wanted,
        })
    }
}

/// The names that a node knows, and what is asked of their values beyond their validity: each is a bit of a set.
#[derive(Clone)]
struct Members {
    names: Vec<(String, usize)>,
    /// The node says more of the value of a name, if it is there.
    facts: Vec<(String, usize)>,
}

/// Facts are bits from the other end.
const LAST: u32 = 63;

/// How many sets of facts are tried at most.
const MOST_SETS: usize = 32;

impl Members {
    fn of(made: &Made) -> Self {
        let mut members = Self {
            names: made.properties.clone(),
            facts: Vec::new(),
        };
        for (_, test) in &made.rules {
            if let Test::Required(names) | Test::NoOther(names) | Test::Names(names, _) = test {
                for name in names {
                    members.position(name);
                }
            }
        }
        members
    }

    fn position(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|(known, _)| known == name);
        known.unwrap_or_else(|| {
            self.names.push((name.to_owned(), ANYTHING));
            self.names.len() - 1
        })
    }

    /// The fact that a member is there.
    fn present(&mut self, name: &str) -> u64 {
        1_u64
            .checked_shl(self.position(name) as u32)
            .unwrap_or_default()
    }

    /// The fact that a member is not there, or is what a node says.
    fn fact(&mut self, name: &str, node: usize) -> u64 {
        self.position(name);
        let fact = (name.to_owned(), node);
        let known = self.facts.iter().position(|known| *known == fact);
        let bit = known.unwrap_or_else(|| {
            self.facts.push(fact);
            self.facts.len() - 1
        });
        (1 << LAST) >> bit
    }

    fn fit(&self) -> bool {
        self.names.len() + self.facts.len() <= 64
    }

    /// As Rust.
    fn rust(&self, made: &Made) -> Result<String, String> {
        let mut others = "Any";
        for (_, test) in &made.rules {
            match test {
                Test::NoOther(_) | Test::Names(_, false) => others = "None",
                Test::Names(_, true) if others == "Any" => others = "Uris",
                _ => {}
            }
        }
        if self.names.is_empty() && others == "Any" {
            return Ok("None".to_owned());
        }
        if !self.fit() {
            return Err("an object with more than 64 names is not known here".to_owned());
        }
        let (mut required, mut allowed, mut asked) = (0_u64, 0_u64, 0_u64);
        for (bit, (name, _)) in self.names.iter().enumerate() {
            let is_required = made.rules.iter().any(|(_, test)| match test {
                Test::Required(names) => names.contains(name),
                _ => false,
            });
            // A name that a rule does not list may still be one that it allows: that is found out when it comes.
            let is_listed = made.rules.iter().all(|(_, test)| match test {
                Test::NoOther(names) | Test::Names(names, _) => names.contains(name),
                _ => true,
            });
            let is_asked = self.facts.iter().any(|(asked, _)| asked == name);
            required |= u64::from(is_required) << bit;
            allowed |= u64::from(is_listed) << bit;
            asked |= u64::from(is_asked) << bit;
        }
        let mut facts = String::new();
        for (bit, (name, node)) in self.facts.iter().enumerate() {
            let member = self.names.iter().position(|(known, _)| known == name);
            let (member, bit) = (1_u64 << member.unwrap_or_default(), (1_u64 << LAST) >> bit);
            let _ = write!(
                facts,
                "Fact {{ member: {member}, node: {node}, bit: {bit} }}, "
            );
        }
        let ids: Vec<usize> = self.names.iter().map(|(_, id)| *id).collect();
        let names: Vec<String> = self.names.iter().map(|(name, _)| name.clone()).collect();
        Ok(format!(
            "Some(&Object {{ names: {}, nodes: &{ids:?}, required: {required}, allowed: {allowed}, others: Others::{others}, \
             asked: {asked}, facts: &[{facts}] }})",
            table(&names)?
        ))
    }
}

/// Keywords that say something about a schema, at its root, and nothing of a document.
const ABOUT: [&str; 3] = ["$id", "$schema", "definitions"];

/// The keywords that are known, in the order in which errors of one value are told.
const ORDER: [&str; 16] = [
    "type",
    "enum",
    "minItems",
    "additionalProperties",
    "required",
    "pattern",
    "format",
    "uniqueItems",
    "properties",
    "propertyNames",
    "items",
    "allOf",
    "anyOf",
    "not",
    "if",
    "then",
];

/// The types by their names, as Rust, in the order of their bits.
const TYPES: [(&str, &str); 6] = [
    ("null", "Null"),
    ("boolean", "Boolean"),
    ("number", "Number"),
    ("string", "String"),
    ("array", "Array"),
    ("object", "Object"),
];

const FORMATS: [(&str, &str); 2] = [("date-time", "DateTime"), ("uri", "Uri")];

fn words(list: &Value) -> Option<Vec<String>> {
    let word = |word: &Value| word.as_str().map(str::to_owned);
    list.as_array()?.iter().map(word).collect()
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn rust(test: &Test) -> Result<String, String> {
    Ok(match test {
        Test::NoOther(names) => format!("Test::NoOther(&{names:?})"),
        Test::AnyOf(_) => return Err("a choice needs the node that it is of".to_owned()),
        Test::OneOf(words) => format!("Test::OneOf({})", table(words)?),
        Test::Format(name) => format!("Test::Format(Format::{name})"),
        Test::MinItems(least) => format!("Test::MinItems({least})"),
        Test::Nothing => "Test::Nothing".to_owned(),
        Test::Pattern(pattern) => format!("Test::Pattern(Pattern::{pattern})"),
        Test::Names(words, uris) => {
            format!(
                "Test::Names(Names {{ words: {}, uris: {uris} }})",
                table(words)?
            )
        }
        Test::Required(names) => format!("Test::Required(&{names:?})"),
        Test::Type(name) => format!("Test::Type(Type::{name})"),
        Test::Unique => "Test::Unique".to_owned(),
    })
}

/// A table that leads from each word to its position without a collision.
fn table(words: &[String]) -> Result<String, String> {
    let mut size = (words.len() * 2).next_power_of_two().max(2);
    while size <= 1024 {
        // Odd numbers spread over 32 bits.
        for seed in (1..4000_u32).map(|n| n.wrapping_mul(0x9e37_79b9) | 1) {
            let mut slots = vec![0_usize; size];
            let free = words.iter().enumerate().all(|(position, word)| {
                let slot = slot_of(word.as_bytes(), seed, size);
                std::mem::replace(&mut slots[slot], position + 1) == 0
            });
            if free && words.len() < 256 {
                return Ok(format!(
                    "Words {{ words: &{words:?}, slots: &{slots:?}, seed: {seed} }}"
                ));
            }
        }
        size *= 2;
    }
    Err(format!(
        "no table without a collision was found for {words:?}"
    ))
}
