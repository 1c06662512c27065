//! Names outside of the standard: those that a pack uses, and how documents write them.
//!
//! A pack binds prefixes to namespaces: `"namespaces": {"hc": ["http://epcis.gs1us.org/hc/ns"]}`. In a path, `hc:dropShipment` is then the
//! name `dropShipment` of that namespace, whatever prefix a document has for it. A namespace may have several spellings, and ends
//! with or without `#`, `/` or `:`, since documents differ.
//!
//! A prefix that a document does not declare has the meaning of the pack: many documents leave `cbvmda` and `gdst` undeclared.

use super::values::{list, named_once, refused, text};
use epcis_edge_document::context::{ActiveContext, MAX_HELD};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Value;
use std::collections::BTreeMap;

/// The number of a name in its pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameId(u16);

/// The most prefixes of a pack, and the most spellings of a namespace.
const MAX_NAMESPACES: usize = 16;
/// The most different names outside of the standard that a pack may use.
const MAX_NAMES: usize = 256;

/// A prefix of a pack, and the spellings of its namespace without the character at their end.
#[derive(Debug)]
struct Prefix {
    name: String,
    spellings: Vec<String>,
}

/// A name that a pack uses.
#[derive(Debug, PartialEq, Eq)]
struct AskedName {
    /// The index of its prefix; `None` for a name without namespace, inside of an extension.
    prefix: Option<usize>,
    local: String,
}

/// The names that a pack uses.
#[derive(Debug, Default)]
pub struct PackNames {
    prefixes: Vec<Prefix>,
    names: Vec<AskedName>,
    /// The names, by their local part.
    by_local: BTreeMap<String, Vec<NameId>>,
}

impl PackNames {
    /// Reads the member `namespaces` of a pack.
    pub fn read(namespaces: Option<Value<'_>>) -> Result<Self, Error> {
        let mut names = Self::default();
        let Some(namespaces) = namespaces else { return Ok(names) };
        let expected = "an object of lists of URIs, each prefix once";
        for (prefix, spellings) in named_once(namespaces, expected)? {
            if names.prefixes.len() == MAX_NAMESPACES {
                let expected = format!("at most {MAX_NAMESPACES} namespaces");
                return Err(refused(namespaces, expected));
            }
            let name = prefix.to_cow().into_owned();
            if !is_prefix(&name) {
                let expected = "a prefix of letters, digits, `-` and `_`, with a letter first";
                return Err(refused(spellings, expected));
            }
            let mut read = Vec::new();
            for spelling in list(spellings, MAX_NAMESPACES)? {
                let uri = text(spelling, 400)?;
                let uri = without_end(&uri).to_owned();
                let is_known = |known: &Prefix| known.spellings.contains(&uri);
                if !uri.contains(':') || read.contains(&uri) || names.prefixes.iter().any(is_known)
                {
                    let expected = "the URI of a namespace, each once in a pack";
                    return Err(refused(spelling, expected));
                }
                read.push(uri);
            }
            names.prefixes.push(Prefix { name, spellings: read });
        }
        Ok(names)
    }

    /// The number of a name: `prefix:local`, or if `is_bare` a name without prefix. `None` if the pack has no such prefix, or too
    /// many names.
    pub fn number(&mut self, name: &str, is_bare: bool) -> Option<NameId> {
        let asked = match name.split_once(':') {
            None if is_bare && is_local(name) => AskedName { prefix: None, local: name.to_owned() },
            None => return None,
            Some((prefix, local)) => AskedName {
                prefix: Some(self.prefixes.iter().position(|known| known.name == prefix)?),
                local: Some(local).filter(|local| is_local(local))?.to_owned(),
            },
        };
        if let Some(at) = self.names.iter().position(|known| *known == asked) {
            return Some(NameId(at as u16));
        }
        if self.names.len() == MAX_NAMES {
            return None;
        }
        let id = NameId(self.names.len() as u16);
        let alike = self.by_local.entry(asked.local.clone()).or_default();
        alike.push(id);
        self.names.push(asked);
        Some(id)
    }

    /// Whether the pack uses no names outside of the standard.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The prefixes, for messages.
    pub(super) fn known(&self) -> String {
        let names = self.prefixes.iter().map(|prefix| prefix.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }
}

fn is_prefix(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    text.len() <= 64
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(is_inner)
}

/// Whether a text may be a local name, the name of an attribute (`@qualifier`), or the name of the text beside it (`#text`).
fn is_local(text: &str) -> bool {
    let name = text.strip_prefix(['@', '#']).unwrap_or(text);
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !name.is_empty() && name.len() <= 100 && name.bytes().all(is_inner)
}

/// A namespace without the `#`, `/` or `:` at its end.
fn without_end(namespace: &str) -> &str {
    namespace.trim_end_matches(['#', '/', ':'])
}

/// The names of a pack at a place in a document.
#[derive(Clone, Copy)]
pub struct NamesAt<'s, 'd> {
    /// The names.
    pub asked: &'s PackNames,
    /// What prefixes stand for there.
    pub context: &'s ActiveContext<'d>,
}

impl NamesAt<'_, '_> {
    /// The name of the pack for a member; `None` if the pack does not use it.
    pub fn find(&self, written: &str) -> Option<NameId> {
        let local = match written.contains([':', '/']) {
            true => written.rsplit([':', '/', '#']).next()?,
            false => written,
        };
        let mut alike = self.asked.by_local.get(local)?.iter();
        alike.find(|id| self.are(**id, written)).copied()
    }

    /// Whether a member, or an attribute of master data, has a name of the pack.
    pub(super) fn are(&self, id: NameId, written: &str) -> bool {
        let Some(asked) = self.asked.names.get(usize::from(id.0)) else { return false };
        // Most members end otherwise.
        let Some(start) = written.strip_suffix(asked.local.as_str()) else { return false };
        let Some(prefix) = asked.prefix else { return start.is_empty() };
        let Some(prefix) = self.asked.prefixes.get(prefix) else { return false };
        let is_spelling = |namespace: &str| {
            let namespace = without_end(namespace);
            prefix.spellings.iter().any(|known| known == namespace)
        };
        let Some(before) = start.strip_suffix(':') else {
            // A URI in full.
            return start.ends_with(['#', '/']) && is_spelling(start);
        };
        match self.context.name_parts(written) {
            ("", _) => before == prefix.name || is_spelling(before),
            (namespace, local) => local == asked.local && is_spelling(namespace),
        }
    }
}

/// # Errors
/// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) if the prefixes of a document stand for more
/// than is held: then some of them are unknown, and no name can be judged.
pub fn require_known(context: &ActiveContext<'_>) -> Result<(), Error> {
    match context.excess() {
        None => Ok(()),
        Some(_) => Err(Error::capture_too_complex(
            MAX_HELD,
            "bytes, or 10,000 terms, in what the prefixes of its contexts stand for",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epcis_edge_text::json::Document;

    #[test]
    fn a_name_has_many_spellings() {
        let pack = Document::read(br#"{"mda":["urn:epcglobal:cbv:mda"],"gdst":["https://traceability-dialogue.org/epcis"]}"#).unwrap();
        let mut asked = PackNames::read(Some(pack.root())).unwrap();
        let lot = asked.number("mda:lotNumber", false).unwrap();
        let owner = asked.number("gdst:productOwner", false).unwrap();
        let bare = asked.number("certification", true).unwrap();
        assert_eq!(asked.number("mda:lotNumber", false), Some(lot));
        assert_eq!(asked.number("hc:lotNumber", false), None);
        assert_eq!(asked.number("certification", false), None);
        let document = Document::read(
            br#"{"@context":[{"m":"urn:epcglobal:cbv:mda:","g":"https://traceability-dialogue.org/epcis/","x":"https://x.example/",
                "y":"https://y.example/"}]}"#,
        )
        .unwrap();
        let mut context = ActiveContext::default();
        context.enter(document.root());
        let names = NamesAt { asked: &asked, context: &context };
        for (id, written, expected) in [
            (lot, "m:lotNumber", true),
            (lot, "cbvmda:lotNumber", true),
            (lot, "urn:epcglobal:cbv:mda:lotNumber", true),
            (lot, "urn:epcglobal:cbv:mda#lotNumber", true),
            (lot, "x:lotNumber", false),
            (lot, "lotNumber", false),
            (lot, "m:otherlotNumber", false),
            (owner, "g:productOwner", true),
            (owner, "gdst:productOwner", true),
            (owner, "https://traceability-dialogue.org/epcis/productOwner", true),
            (owner, "https://traceability-dialogue.org/epcisproductOwner", false),
            (bare, "certification", true),
            (bare, "x:certification", false),
        ] {
            assert_eq!(names.are(id, written), expected, "{written}");
            assert_eq!(names.find(written) == Some(id), expected, "{written}");
        }
    }
}
