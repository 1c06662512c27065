//! Names, addresses and descriptions from the master data in the header of a document.

use epcis_edge_document::identifier::{product, thing};
use epcis_edge_document::master_data::{attribute_texts, master_data};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::{Known, OrEmpty};
use std::collections::{BTreeMap, BTreeSet};

/// How the normal form of a GLN begins: of a place, and of a party.
const PLACE: &str = "https://id.gs1.org/414/";
const PARTY: &str = "https://id.gs1.org/417/";

/// The attributes that name a place or a party.
const NAMES: &str = "name site organizationName";

/// The attributes in master data, by identifier in normal form, and by the local name of an attribute.
#[derive(Debug, Default)]
pub(super) struct Directory {
    entries: BTreeMap<String, BTreeMap<String, String>>,
}

impl Directory {
    /// # Errors
    /// As [`master_data`].
    pub(super) fn of(document: &Document<'_>) -> Result<Self, Error> {
        let mut directory = Self::default();
        for element in master_data(document)? {
            directory.add(&element.id, &element.spelling, &element.attributes)?;
        }
        Ok(directory)
    }

    /// Adds the attributes of an element. An earlier value of an attribute stays.
    ///
    /// # Errors
    /// None for attributes in the form of a store.
    pub(super) fn add(&mut self, id: &str, spelling: &str, attributes: &str) -> Result<(), Error> {
        let attributes = attribute_texts(attributes)?;
        // The attributes of a lot or of a pattern also count for its product.
        for id in [id.to_owned(), product(spelling)] {
            let entry = self.entries.entry(id).or_default();
            for (name, text) in &attributes {
                let local = name.rsplit([':', '/', '#']).next().unwrap_or(name);
                entry.entry(local.to_owned()).or_insert_with(|| text.clone());
            }
        }
        Ok(())
    }

    /// The entries about an identifier: its own, that of its GLN as a party or as a place, that of its product.
    fn entries(&self, id: &str) -> impl Iterator<Item = &BTreeMap<String, String>> {
        let own = thing(id);
        let gln = gln_key(id);
        let party = gln.replacen(PLACE, PARTY, 1);
        let mut keys = vec![own, gln, party, product(id)];
        let mut seen = BTreeSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        keys.into_iter().filter_map(|key| self.entries.get(&key))
    }

    /// The first of these attributes, with blanks between them, that an identifier has.
    pub(super) fn first(&self, id: &str, attributes: &str) -> &str {
        let mut found = self.entries(id).map(|entry| first_of(entry, attributes));
        found.find_map(|text| text).or_empty()
    }

    /// All names of a place or party: one GLN may have a name as a place and another one as a party.
    pub(super) fn names(&self, id: &str) -> String {
        let name = |entry| first_of(entry, NAMES);
        let mut names: Vec<&str> = self.entries(id).filter_map(name).collect();
        names.dedup();
        names.join("; ")
    }

    /// The name of a place or party; empty if it is not known.
    pub(super) fn name(&self, id: &str) -> &str {
        self.first(id, NAMES)
    }

    /// The name of a product; empty if it is not known.
    pub(super) fn description(&self, id: &str) -> &str {
        const DESCRIPTIONS: &str = "descriptionShort regulatedProductName tradeItemDescription productName functionalName description \
                                    descriptionLong name";
        self.first(id, DESCRIPTIONS)
    }

    pub(super) fn telephone(&self, id: &str) -> &str {
        self.first(id, "telephone telephoneNumber contactTelephone phone")
    }

    /// Street and number.
    pub(super) fn street(&self, id: &str) -> String {
        let lines = ["streetAddressOne", "streetAddressTwo"].map(|line| self.first(id, line));
        lines.join(" ").trim().to_owned()
    }

    /// The address of a place or party in one line; empty if it is not known.
    pub(super) fn address(&self, id: &str) -> String {
        let rest = ["city", "state", "postalCode", "countryCode"];
        let rest = rest.map(|name| self.first(id, name).to_owned());
        let parts = std::iter::once(self.street(id)).chain(rest);
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    /// A place as a cell names it: its name, then its GLN in parentheses; without a name only its GLN.
    pub(super) fn place(&self, id: &str) -> String {
        let key = key_of(id);
        match self.name(id) {
            "" => key,
            name => format!("{name} ({key})"),
        }
    }
}

fn first_of<'e>(entry: &'e BTreeMap<String, String>, attributes: &str) -> Option<&'e str> {
    attributes.split(' ').find_map(|name| entry.get(name)).map(String::as_str)
}

/// A place or a party in the form in which they are compared: a GLN is the same as a place (414) and as a party (417).
pub(super) fn gln_key(id: &str) -> String {
    let key = thing(id);
    match key.strip_prefix(PARTY) {
        Some(gln) => format!("{PLACE}{gln}"),
        None => key,
    }
}

/// A place or a party by its GLN, without the extension for its parts: goods for a company, or a warehouse, are received at one of its docks.
pub(super) fn place_key(place: &str) -> String {
    let mut key = gln_key(place);
    if let Some(at) = key.find("/254/") {
        key.truncate(at);
    }
    key
}

/// The digits of a key, without the URI around them; any other identifier as it is.
pub(super) fn key_of(id: &str) -> String {
    let thing = thing(id);
    let Some(path) = thing.strip_prefix("https://id.gs1.org/") else { return thing };
    let mut parts = path.split('/');
    let key = parts.nth(1).unwrap_or(path).to_owned();
    match (parts.next(), parts.next()) {
        (Some("254"), Some(extension)) => format!("{key} {extension}"),
        // A case may have a serial number.
        (Some("21"), Some(serial)) => format!("{key} {}", decoded(serial)),
        _ => key,
    }
}

/// The GTIN and the lot of an identifier; empty where it has none.
pub(super) fn lot_of(id: &str) -> (String, String) {
    let thing = thing(id);
    let Some(path) = thing.strip_prefix("https://id.gs1.org/01/") else {
        return (String::new(), String::new());
    };
    let mut parts = path.split('/');
    let gtin = parts.next().known().to_owned();
    let mut lot = String::new();
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        if name == "10" {
            lot = decoded(value);
        }
    }
    (gtin, lot)
}

/// The GTIN and the lot code of a class. A class without a GTIN is a lot code itself, which the law allows; `lot` is the lot of
/// items.
pub(super) fn lot_code(class: &str, lot: &str) -> (String, String) {
    match lot_of(class) {
        (gtin, _) if gtin.is_empty() => (gtin, class.to_owned()),
        (gtin, own) if own.is_empty() => (gtin, lot.to_owned()),
        found => found,
    }
}

/// The serial in the identifier of an item.
pub(super) fn serial_of(item: &str) -> String {
    let link = thing(item);
    let serial = link.rsplit_once("/21/");
    serial.map_or_else(|| key_of(item), |(_, serial)| decoded(serial))
}

fn decoded(text: &str) -> String {
    let text = percent_encoding::percent_decode_str(text);
    text.decode_utf8_lossy().into_owned()
}
