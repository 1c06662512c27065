//! Small random changes to JSON documents, for suites that compare two validators.

use crate::random::Random;
use crate::variables;
use serde_json::{Map, Value};

/// How many mutants a suite tries: 200 where every run does, `all` of them with `EPCIS_EDGE_MUTANTS=all`, or the number in that variable.
///
/// # Panics
/// When the variable has another value.
#[must_use]
pub fn rounds(all: usize) -> usize {
    if std::env::var("EPCIS_EDGE_MUTANTS").is_ok_and(|value| value == "all") {
        return all;
    }
    variables::number("EPCIS_EDGE_MUTANTS").unwrap_or_else(|| all.min(200))
}

/// Names and values taken from documents, for insertion in other places.
#[derive(Debug, Default)]
pub struct Pool {
    names: Vec<String>,
    values: Vec<Value>,
}

impl Pool {
    /// Collects the names and values of these documents, and adds some odd ones.
    #[must_use]
    pub fn of(documents: &[Value]) -> Self {
        let mut pool = Self::default();
        documents.iter().for_each(|document| pool.add(document));
        pool.names.sort();
        pool.names.dedup();
        pool.names.extend(ODD_NAMES.split('|').map(str::to_owned));
        pool.values.sort_by_cached_key(Value::to_string);
        pool.values.dedup();
        pool.values.extend(serde_json::from_str::<Vec<Value>>(ODD_VALUES).unwrap());
        pool
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| self.add(element)),
            Value::Object(members) => {
                for (name, member) in members {
                    self.names.push(name.clone());
                    self.add(member);
                }
            }
            _ => {}
        }
        if value.to_string().len() < 200 {
            self.values.push(value.clone());
        }
    }

    /// Changes one thing at a random place.
    pub fn mutate(&self, value: &mut Value, random: &mut Random) {
        let inside = match value {
            Value::Array(elements) => elements.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        if inside > 0 && !random.percent(7) {
            match value {
                Value::Array(elements) => self.mutate_array(elements, random),
                Value::Object(members) => self.mutate_object(members, random),
                _ => {}
            }
            return;
        }
        match value {
            Value::String(text) if random.percent(85) => change_text(text, random),
            _ => *value = random.pick(&self.values).clone(),
        }
    }

    fn mutate_array(&self, elements: &mut Vec<Value>, random: &mut Random) {
        let at = random.below(elements.len());
        match random.below(14) {
            0 => drop(elements.remove(at)),
            1 => elements.push(elements[at].clone()),
            2 => elements.push(random.pick(&self.values).clone()),
            3 => elements.clear(),
            _ => self.mutate(&mut elements[at], random),
        }
    }

    fn mutate_object(&self, members: &mut Map<String, Value>, random: &mut Random) {
        let at = random.below(members.len());
        let Some(name) = members.keys().nth(at).cloned() else {
            return;
        };
        match random.below(28) {
            0 => drop(members.shift_remove(&name)),
            1 => {
                let mut changed = name.clone();
                change_text(&mut changed, random);
                rename(members, &name, changed);
            }
            2 => rename(members, &name, random.pick(&self.names).clone()),
            3 => {
                let value = random.pick(&self.values).clone();
                members.insert(random.pick(&self.names).clone(), value);
            }
            4 => {
                let value = members[&name].clone();
                members.insert(random.pick(&self.names).clone(), value);
            }
            5 => {
                // Changes the order of the members.
                if let Some(member) = members.shift_remove(&name) {
                    members.insert(name, member);
                }
            }
            6 => {
                if let Some(kind) = members.get_mut("type") {
                    *kind = random.word(KINDS).into();
                }
            }
            _ => self.mutate(&mut members[&name], random),
        }
    }
}

fn rename(members: &mut Map<String, Value>, old: &str, new: String) {
    if let Some(member) = members.shift_remove(old) {
        members.insert(new, member);
    }
}

/// Changes JSON text before it is parsed, to produce what a parsed tree cannot hold, such as repeated names and escapes.
pub fn change_source(source: &mut String, random: &mut Random) {
    let places: Vec<usize> = source.match_indices('"').map(|(at, _)| at).collect();
    if places.len() < 4 || random.percent(25) {
        change_text(source, random);
        return;
    }
    let at = *random.pick(&places);
    match random.below(4) {
        0 => {
            // Repeats the text from here to a later quote.
            let later = random.below(6);
            let to = places.iter().copied().filter(|&to| to > at).nth(later);
            if let Some(to) = to {
                let piece = source[at..to].to_owned();
                source.insert_str(at, &piece);
            }
        }
        1 => {
            let escape = *random.pick(&ESCAPES);
            source.insert_str(at, escape);
        }
        _ => {
            // Writes a character as an escape.
            let inside = source[at + 1..].chars().next().unwrap_or(' ');
            if inside.is_ascii_alphanumeric() || inside == '/' {
                let escape = format!("\\u{:04x}", u32::from(inside));
                source.replace_range(at + 1..at + 2, &escape);
            }
        }
    }
}

const KINDS: &str = "ObjectEvent|AggregationEvent|TransactionEvent|TransformationEvent|AssociationEvent|\
    farm:SprayingEvent|EPCISDocument|EPCISQueryDocument";

const ESCAPES: [&str; 5] = ["\\u0041", "\\/", "\\n", "\\\"", "\\u00e4"];

/// Changes one to three characters, or inserts something.
pub fn change_text(text: &mut String, random: &mut Random) {
    let changes = *random.pick(&[1, 1, 1, 2, 3]);
    for _ in 0..changes {
        let mut characters: Vec<char> = text.chars().collect();
        let at = random.below(characters.len() + 1);
        let new = CHARACTERS.chars().nth(random.below(CHARACTERS.chars().count())).unwrap();
        match random.below(8) {
            0 | 1 if at < characters.len() => drop(characters.remove(at)),
            2 | 3 if at < characters.len() => characters[at] = new,
            4 if at < characters.len() => {
                let other = random.below(characters.len());
                characters.swap(at, other);
            }
            5 if at < characters.len() => {
                let known = characters[at];
                characters.insert(at, known);
            }
            6 => {
                let piece = random.word(PIECES);
                characters.splice(at..at, piece.chars());
            }
            _ => characters.insert(at, new),
        }
        *text = characters.into_iter().collect();
    }
}

const CHARACTERS: &str =
    ":/?#[]@!$&'()*+,;=-._~% \"\\<>^`{|}\n\t\0\u{7f}ä\u{80}東\u{1f69c}01234569afgzAFGTtZXeEun";

const PIECES: &str = "//|://|http://|https://ns.gs1.org/cbv/|https://www.gs1.org/voc/|http://gs1.org/voc/|\
    urn:epcglobal:cbv|urn:|a:b@c:1|[::1]|[v1.a]|%20|%2|%zz|:80|@|60|24:00|14:00|+14:01|.5|-02-29|-02-30|\
    T23:59:60Z";

const ODD_NAMES: &str =
    "|a:b|urn:|id|@id|@context|ext:ä|https://[::1]/x|ext: x|persistentDisposition";

const ODD_VALUES: &str = r#"[
    null, true, -0.5, 18446744073709551615, "", [], {}, [{}], [[]], [{}, {}], [{"a": 1}, {"a": 1.0}],
    [{"a": "x"}, {"a": "y"}], [{"a": "x", "b": "y"}, {"b": "y", "a": "x"}], ["urn:a", {"a": []}, {"b": []}],
    ["urn:a", "urn:a"], [1, 1.0], {"id": "urn:x"}, {"set": ["active", "active"]}, {"set": ["active"], "unset": []},
    {"type": "x:y"}, "2016-12-31T23:59:60Z", "0000-02-29t00:00:00z", "2100-02-29T00:00:00Z", "https://[::1]:80/a",
    "a://b:80a", "a://b@c@d"
]"#;
