//! A node while it is being made, and its form as Rust code.

use crate::words::slot_of;
use std::fmt::Write as _;

/// The node without rules.
pub(super) const ANYTHING: usize = 0;

/// A node while it is being made.
#[derive(Clone, Default)]
pub(super) struct Made {
    pub(super) rules: Vec<(String, Test)>,
    /// The nodes of the members.
    pub(super) properties: Vec<(String, usize)>,
    /// The node of the entries.
    pub(super) items: Option<usize>,
    pub(super) is_branch: bool,
    pub(super) holds_branches: bool,
}

/// The test of a keyword.
#[derive(Clone, PartialEq)]
pub(super) enum Test {
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

impl Made {
    /// The types of value that it allows, as bits.
    pub(super) fn kinds(&self) -> u8 {
        self.rules.iter().fold(63, |kinds, (_, test)| match test {
            Test::Type(name) => {
                let bit = TYPES.iter().position(|(_, known)| known == name);
                kinds & bit.map_or(0, |bit| 1 << bit)
            }
            Test::Nothing => 0,
            _ => kinds,
        })
    }

    /// Whether it allows values of this type.
    pub(super) fn allows(&self, name: &str) -> bool {
        let bit = TYPES.iter().position(|(known, _)| *known == name);
        bit.is_some_and(|bit| self.kinds() & 1 << bit != 0)
    }

    /// Whether it has an `enum`.
    pub(super) fn lists_words(&self) -> bool {
        let mut tests = self.rules.iter().map(|(_, test)| test);
        tests.any(|test| matches!(test, Test::OneOf(_)))
    }

    /// The rules that remain to be checked when type and members are known, as Rust code.
    ///
    /// # Errors
    /// More than 32 rules.
    pub(super) fn left(&self) -> Result<String, String> {
        if self.rules.len() > 32 {
            return Err(
                "a value has more than 32 rules, the most that the build supports".to_owned()
            );
        }
        let asked = |asks: &dyn Fn(&Test) -> bool| {
            let rules = self.rules.iter().enumerate();
            let left = rules.filter(|(position, (_, test))| {
                let before = self.rules.iter().take(*position);
                asks(test) && { before }.all(|(_, other)| other != test)
            });
            left.fold(0_u32, |bits, (position, _)| bits | 1 << position)
        };
        let of_all = |test: &Test| matches!(test, Test::AnyOf(_) | Test::Nothing | Test::OneOf(_));
        let strings =
            asked(&|test| of_all(test) || matches!(test, Test::Format(_) | Test::Pattern(_)));
        let arrays =
            asked(&|test| of_all(test) || matches!(test, Test::MinItems(_) | Test::Unique));
        let others = asked(&of_all);
        Ok(format!("Left {{ strings: {strings}, arrays: {arrays}, others: {others} }}"))
    }

    /// Whether every value that the node accepts passes a test.
    pub(super) fn implies(&self, wanted: &Test) -> bool {
        self.rules.iter().any(|(_, known)| match (wanted, known) {
            (Test::MinItems(wanted), Test::MinItems(known)) => known >= wanted,
            _ => known == wanted,
        })
    }
}

/// The choices that may accept a string, those with an `enum` first.
pub(super) fn of_strings(choices: &[usize], nodes: &[Made]) -> Vec<usize> {
    let mut strings = choices.to_vec();
    strings.retain(|id| nodes[*id].is_branch || nodes[*id].allows("string"));
    strings.sort_by_key(|id| !nodes[*id].lists_words());
    strings
}

/// The known names of a node, and facts about their values that choices depend on. Each name and each fact is a bit of a set.
#[derive(Clone)]
pub(super) struct Members {
    names: Vec<(String, usize)>,
    /// Name and node of each fact: if the member is present, its value must match this node too.
    facts: Vec<(String, usize)>,
}

/// The bit of the first fact. Facts take bits from the top, names from the bottom.
const LAST: u32 = 63;

/// The most sets of facts for a choice.
pub(super) const MOST_SETS: usize = 32;

impl Members {
    pub(super) fn of(made: &Made) -> Self {
        let mut members = Self { names: made.properties.clone(), facts: Vec::new() };
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

    /// The bit of the fact that a member is present.
    pub(super) fn present(&mut self, name: &str) -> u64 {
        1_u64.checked_shl(self.position(name) as u32).unwrap_or_default()
    }

    /// The bit of the fact that a member is absent or matches a node.
    pub(super) fn fact(&mut self, name: &str, node: usize) -> u64 {
        self.position(name);
        let fact = (name.to_owned(), node);
        let known = self.facts.iter().position(|known| *known == fact);
        let bit = known.unwrap_or_else(|| {
            self.facts.push(fact);
            self.facts.len() - 1
        });
        (1 << LAST) >> bit
    }

    pub(super) fn fit(&self) -> bool {
        self.names.len() + self.facts.len() <= 64
    }

    /// The members as Rust code.
    pub(super) fn rust(&self, made: &Made) -> Result<String, String> {
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
            return Err(
                "an object has more than 64 names and facts, the most that the build supports"
                    .to_owned(),
            );
        }
        let (mut required, mut allowed, mut asked) = (0_u64, 0_u64, 0_u64);
        for (bit, (name, _)) in self.names.iter().enumerate() {
            let is_required = made.rules.iter().any(|(_, test)| match test {
                Test::Required(names) => names.contains(name),
                _ => false,
            });
            // A rule may allow a name that it does not list, if it is a URI. That is checked when the name is read.
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
            let _ = write!(facts, "Fact {{ member: {member}, node: {node}, bit: {bit} }}, ");
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

/// The types in the order of their bits: the name in JSON Schema, and the name in Rust.
pub(super) const TYPES: [(&str, &str); 6] = [
    ("null", "Null"),
    ("boolean", "Boolean"),
    ("number", "Number"),
    ("string", "String"),
    ("array", "Array"),
    ("object", "Object"),
];

pub(super) fn rust(test: &Test) -> Result<String, String> {
    Ok(match test {
        Test::NoOther(names) => format!("Test::NoOther(&{names:?})"),
        Test::AnyOf(_) => {
            return Err("a choice cannot be written without the node that it belongs to".to_owned());
        }
        Test::OneOf(words) => format!("Test::OneOf({})", table(words)?),
        Test::Format(name) => format!("Test::Format(Format::{name})"),
        Test::MinItems(least) => format!("Test::MinItems({least})"),
        Test::Nothing => "Test::Nothing".to_owned(),
        Test::Pattern(pattern) => format!("Test::Pattern(Pattern::{pattern})"),
        Test::Names(words, uris) => {
            format!("Test::Names(Names {{ words: {}, uris: {uris} }})", table(words)?)
        }
        Test::Required(names) => format!("Test::Required(&{names:?})"),
        Test::Type(name) => format!("Test::Type(Type::{name})"),
        Test::Unique => "Test::Unique".to_owned(),
    })
}

/// A hash table without collisions, from each word to its position, as Rust code.
pub(super) fn table(words: &[String]) -> Result<String, String> {
    let mut size = (words.len() * 2).next_power_of_two().max(2);
    while size <= 1024 {
        // Odd numbers that are spread over 32 bits.
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
    Err(format!("no table without a collision was found for {words:?}"))
}
