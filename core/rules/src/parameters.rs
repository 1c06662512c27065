//! Parameters: what callers say about themselves, such as their own GLNs. A rule does not run if a parameter that it needs is
//! missing.

use super::values::{
    identifier, list_in, member, named_once, refused, require_members, several, text,
};
use epcis_edge_document::identifier::thing;
use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeMap;

/// The most parameters of a pack, and the most words from which the value of one may be chosen.
const MAX_PARAMETERS: usize = 16;
/// The most texts that a caller may give for one parameter.
const MAX_GIVEN: usize = 100;
/// The longest text, in bytes.
const MAX_TEXT: usize = 400;

/// A parameter of a pack.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The words that may be given; empty if any text may.
    pub(super) words: Vec<String>,
}

/// Reads the member `parameters` of a pack.
pub(super) fn read(pack: Value<'_>) -> Result<Vec<Parameter>, Error> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for one in list_in(pack, "parameters", MAX_PARAMETERS, Ok)? {
        require_members(one, "name, about, oneOf", "name, about")?;
        let at_name = member(one, "name")?;
        let name = identifier(at_name)?;
        if parameters.iter().any(|known| known.name == name) {
            return Err(refused(at_name, "a name that no parameter before has"));
        }
        text(member(one, "about")?, 400)?;
        let words = list_in(one, "oneOf", MAX_PARAMETERS, identifier)?;
        parameters.push(Parameter { name, words });
    }
    Ok(parameters)
}

/// The name of a parameter that accepts any text.
pub(super) fn named(parameters: &[Parameter], name: Value<'_>) -> Result<String, Error> {
    let written = name.as_str().or_empty();
    let found = parameters.iter().find(|known| known.name == written);
    let found = found.filter(|parameter| parameter.words.is_empty());
    let expected = "the name of one of the `parameters` of the pack that has no `oneOf`; a rule names the words of others in its own \
                    `parameters`";
    let found = found.ok_or_else(|| refused(name, expected))?;
    Ok(found.name.clone())
}

/// Reads the member `parameters` of a rule: for each parameter one word, or several of which one must be given.
pub(super) fn of_rule(
    asked: Option<Value<'_>>,
    parameters: &[Parameter],
) -> Result<Vec<(String, Vec<String>)>, Error> {
    let Some(asked) = asked else { return Ok(Vec::new()) };
    const EXPECTED: &str = "an object with words for `parameters` of the pack that have `oneOf`";
    let mut found = Vec::new();
    for (name, words) in named_once(asked, EXPECTED)? {
        let parameter = parameters.iter().find(|known| name == known.name.as_str());
        let parameter = parameter.filter(|parameter| !parameter.words.is_empty());
        let parameter = parameter.ok_or_else(|| refused(words, EXPECTED))?;
        let word = |word: Value<'_>| {
            let read = text(word, MAX_TEXT)?;
            match parameter.words.contains(&read) {
                true => Ok(read),
                false => {
                    let expected = format!("one of {}", parameter.words.join(", "));
                    Err(refused(word, expected))
                }
            }
        };
        found.push((parameter.name.clone(), several(words, MAX_PARAMETERS, word)?));
    }
    Ok(found)
}

/// A caller's values for the parameters of packs.
///
/// # Example
/// ```
/// use epcis_edge_rules::{Checks, Parameters};
/// use epcis_edge_text::json::Document;
/// let given = Document::read(br#"{"own": ["9521141000011"], "direction": "inbound"}"#)?;
/// let given = Parameters::read(given.root())?;
/// assert!(Checks::named(&["dscsa"])?.given(&given).is_ok());
/// assert!(Checks::named(&["cbv"])?.given(&given).is_err());
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters(BTreeMap<String, Vec<String>>);

impl Parameters {
    /// Reads parameters.
    ///
    /// **Shape**: an object with a text, or 1 to 100 texts, of 1 to 400 bytes for each name.
    ///
    /// # Errors
    /// [`ErrorKind::Parameters`] for anything else.
    pub fn read(given: Value<'_>) -> Result<Self, Error> {
        const EXPECTED: &str =
            "an object with a text, or up to 100 texts, for the name of each parameter";
        let refuse = |value: Value<'_>| refused_argument(&excerpt(value.source()), EXPECTED);
        if given.kind() != Kind::Object || given.repeated_name().is_some() {
            return Err(refuse(given));
        }
        let mut parameters = BTreeMap::new();
        for (name, value) in given.members() {
            let read = |value: Value<'_>| {
                let text = value.as_str().map(|text| text.trim().to_owned());
                text.filter(|text| (1..=MAX_TEXT).contains(&text.len()))
                    .ok_or_else(|| refuse(value))
            };
            let texts: Vec<String> = match value.kind() {
                Kind::Array => value.elements().map(read).collect::<Result<_, _>>()?,
                _ => vec![read(value)?],
            };
            if !(1..=MAX_GIVEN).contains(&texts.len()) {
                return Err(refuse(value));
            }
            parameters.insert(name.to_cow().into_owned(), texts);
        }
        Ok(Self(parameters))
    }

    /// The caller's values for a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&[String]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// # Errors
    /// [`ErrorKind::Parameters`] for a name that no pack has, and for a word that its pack does not have.
    pub(super) fn require_known(&self, known: &[&Parameter]) -> Result<(), Error> {
        for (name, texts) in &self.0 {
            let mut alike = known.iter().filter(|known| known.name == *name).peekable();
            if alike.peek().is_none() {
                let names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
                let expected = match names.is_empty() {
                    true => "no parameter: none of these packs has any".to_owned(),
                    false => format!("a parameter of these packs: {}", names.join(", ")),
                };
                return Err(refused_argument(&excerpt(name), &expected));
            }
            for parameter in alike.filter(|parameter| !parameter.words.is_empty()) {
                if let Some(text) = texts.iter().find(|text| !parameter.words.contains(text)) {
                    let expected = format!("for {name} one of {}", parameter.words.join(", "));
                    return Err(refused_argument(&excerpt(text), &expected));
                }
            }
        }
        Ok(())
    }
}

fn refused_argument(found: &str, expected: &str) -> Error {
    Error::new(ErrorKind::Parameters { found: found.to_owned(), expected: expected.to_owned() })
}

/// The form in which an identifier is compared with the caller's own. A GLN has one form, with or without its URI, for a place or a
/// party; the extension that names a part of a place is dropped.
pub(super) fn own_key(text: &str) -> String {
    let thing = thing(text);
    let Some(path) = thing.strip_prefix("https://id.gs1.org/") else { return thing };
    match path.split_once('/') {
        Some((ai, rest)) if ai.len() == 3 && ai.starts_with("41") => {
            let end = rest.find('/').unwrap_or(rest.len());
            rest.get(..end).unwrap_or(rest).to_owned()
        }
        _ => thing,
    }
}

#[cfg(test)]
mod tests {
    use super::own_key;

    #[test]
    fn a_gln_is_the_same_in_every_spelling() {
        for spelling in [
            "9521141001004",
            "urn:epc:id:sgln:9521141.00100.0",
            "urn:epc:id:sgln:9521141.00100.dock1",
            "urn:epc:id:pgln:9521141.00100",
            "https://example.com/414/9521141001004/254/1",
            "https://id.gs1.org/417/9521141001004",
        ] {
            assert_eq!(own_key(spelling), "9521141001004", "{spelling}");
        }
        assert_eq!(own_key("urn:x:1"), "urn:x:1");
        assert!(own_key("urn:epc:id:sscc:9521141.1234567890").contains("/00/"));
    }
}
