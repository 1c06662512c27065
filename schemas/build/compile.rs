//! Compiles the text of a schema into tables: see `src/table.rs` for their meaning.
//!
//! The compiler knows the part of JSON Schema that the pinned schema uses, and nothing about EPCIS.

#[path = "condition.rs"]
mod condition;
#[path = "node.rs"]
mod node;

use crate::pattern::TEXTS;
use condition::{Case, Condition};
use node::{ANYTHING, MOST_SETS, Made, Members, TYPES, Test, of_strings, rust, table};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The tables of a schema as Rust code, or the reason why it cannot be compiled, with the place.
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
    let _ = writeln!(rust, "pub(super) static ANYTHING: Node = {};", compiler.texts[ANYTHING]);
    let _ = writeln!(rust, "pub(super) static NODES: [Node; {}] = [", compiler.nodes.len());
    for node in &compiler.texts {
        let _ = writeln!(rust, "{node},");
    }
    rust.push_str("];\n");
    Ok(rust)
}

struct Compiler<'s> {
    schema: &'s Value,
    nodes: Vec<Made>,
    /// The nodes as Rust code.
    texts: Vec<String>,
    /// The nodes by their Rust code.
    ids: BTreeMap<String, usize>,
    /// The nodes by the places of the schema that they merge.
    places: BTreeMap<Vec<String>, usize>,
    /// The nodes that are being made, to detect a schema that refers to itself.
    stack: Vec<Vec<String>>,
    /// The places that are being merged, for the same purpose.
    merging: Vec<String>,
}

/// The rules for one value from several places of the schema.
#[derive(Default)]
struct Merged {
    /// The place and the test of each rule.
    rules: Vec<(String, Test)>,
    properties: Vec<(String, Vec<String>)>,
    items: Vec<String>,
    conditions: Vec<Condition>,
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

    /// Adds the rules at one place of the schema.
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
            return Err(format!("`{place}` is not an object"));
        };
        if let Some(target) = keywords.get("$ref") {
            if keywords.len() > 1 {
                return Err(format!("`{place}` has keywords beside its `$ref`"));
            }
            let target = target.as_str().and_then(|target| target.strip_prefix('#'));
            let target = target.ok_or_else(|| {
                format!("`{place}/$ref` must begin with `#`: the build reads no other schema")
            })?;
            return self.merge(target, case, merged);
        }
        let mut keywords: Vec<(&str, &Value)> =
            keywords.iter().map(|(name, value)| (name.as_str(), value)).collect();
        // The order in which errors of one value are reported.
        let order = |name: &str| ORDER.iter().position(|known| *known == name);
        if let Some((name, _)) = keywords
            .iter()
            .find(|(name, _)| order(name).is_none() && !(place.is_empty() && ABOUT.contains(name)))
        {
            return Err(format!("the build does not support the keyword `{place}/{name}`"));
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
        let unknown = || format!("`{place}` is `{value}`, which the build does not support");
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
                let properties = self.at(schema)?.get("properties").and_then(Value::as_object);
                let names = properties.into_iter().flat_map(Map::keys).cloned().collect();
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
                    match merged.properties.iter_mut().find(|(known, _)| known == name) {
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

    /// Collects the names that a schema in `propertyNames` allows.
    fn names(&self, place: &str, words: &mut Vec<String>, uris: &mut bool) -> Result<(), String> {
        let unknown = || format!("`{place}` is a rule for names that the build does not support");
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

    /// The condition at a place: a member has one of some values, or none of them.
    fn condition(&self, place: &str) -> Result<Condition, String> {
        let unknown = || format!("`{place}` is a condition that the build does not support");
        let mut keywords = self.at(place)?.as_object().ok_or_else(unknown)?;
        let is_negated = keywords.contains_key("not");
        if is_negated {
            if keywords.len() > 1 {
                return Err(unknown());
            }
            keywords = keywords.get("not").and_then(Value::as_object).ok_or_else(unknown)?;
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

    /// The node of a value whose rules do not depend on a member.
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
                    // A choice that depends only on the members is decided when they have been read.
                    let known = members.clone();
                    let given = self.choices(&made, choices, &mut members)?;
                    if given.is_none() {
                        members = known;
                    }
                    let given = given.unwrap_or_default();
                    let strings = of_strings(choices, &self.nodes);
                    format!(
                        "Test::AnyOf(Choice {{ nodes: &{choices:?}, strings: &{strings:?}, given: &{given:?} }})"
                    )
                }
                other => rust(other)?,
            };
            let _ = write!(rules, "Rule {{ place: {place:?}, test: {test} }}, ");
        }
        let (object, kinds) = (members.rust(&made)?, made.kinds());
        let items = made.items.map_or("None".to_owned(), |id| format!("Some({id})"));
        let holds_branches = made.holds_branches;
        let left = made.left()?;
        let text = format!(
            "Node {{ rules: &[{rules}], kinds: {kinds}, left: {left}, object: {object}, items: {items}, branch: None, holds_branches: {holds_branches} }}"
        );
        Ok(self.add(text, made))
    }

    /// The sets of facts about the members of an object that make one of some choices hold: all facts of any one set are enough.
    /// `None` if the choices depend on more than such facts. The members are known to be valid by themselves.
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
                    vec![names.iter().fold(0, |set, name| set | members.present(name))]
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

    /// The node with the rules of `wanted` that `known` does not imply; `None` if there are none.
    fn beyond(&mut self, wanted: usize, known: usize) -> Result<Option<usize>, String> {
        let mut rest = self.nodes[wanted].clone();
        if rest.is_branch {
            return Ok((wanted != known).then_some(wanted));
        }
        let known = &self.nodes[known];
        rest.rules.retain(|(_, test)| !known.implies(test));
        rest.items = rest
            .items
            .filter(|&items| !known.items.is_some_and(|known| self.is_implied(items, known)));
        rest.properties.retain(|(name, wanted)| {
            let known = known.properties.iter().find(|(known, _)| known == name);
            !known.is_some_and(|(_, known)| self.is_implied(*wanted, *known))
        });
        if rest.rules.is_empty() && rest.items.is_none() && rest.properties.is_empty() {
            return Ok(None);
        }
        self.make(rest).map(Some)
    }

    /// Whether `known` implies all rules of `wanted`.
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
        if merged.conditions.iter().any(|condition| condition.member != member) {
            return Err(format!("`{here}` has conditions on several members"));
        }
        let required = merged.rules.iter().find(|(_, test)| match test {
            Test::Required(names) => names.contains(&member),
            _ => false,
        });
        // If the member were missing, every condition would hold at once, but only its absence is worth reporting.
        let Some((place, _)) = required else {
            return Err(format!(
                "`{here}` does not require `{member}`, on which its conditions depend"
            ));
        };
        let mut words: Vec<String> = Vec::new();
        for word in merged.conditions.iter().flat_map(|condition| &condition.words) {
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
        let left = Made::default().left()?;
        let text = format!(
            "Node {{ rules: &[], kinds: 63, left: {left}, object: None, items: None, branch: Some(&Branch {{ member: {member:?}, place: {place:?}, \
             cases: {}, nodes: &{ids:?}, otherwise: {otherwise}, no_object: {no_object} }}), holds_branches: {holds_branches} }}",
            table(&words)?
        );
        let made = Made { is_branch: true, holds_branches, ..Made::default() };
        Ok(self.add(text, made))
    }

    /// The node for one case. Conditions that appear only in this case must not distinguish further cases.
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
        found.ok_or_else(|| format!("the schema refers to `{place}`, which does not exist"))
    }
}

/// Keywords at the root that describe the schema itself and have no effect on documents.
const ABOUT: [&str; 3] = ["$id", "$schema", "definitions"];

/// The known keywords, in the order in which errors of one value are reported.
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

const FORMATS: [(&str, &str); 2] = [("date-time", "DateTime"), ("uri", "Uri")];

fn words(list: &Value) -> Option<Vec<String>> {
    let word = |word: &Value| word.as_str().map(str::to_owned);
    list.as_array()?.iter().map(word).collect()
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
