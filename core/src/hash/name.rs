//! Names of nodes: the standard's own, known beforehand, and all others, numbered as they come.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The name of a node, as a number: equal names have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(u32);

macro_rules! standard_names {
    ($($constant:ident = $text:literal,)+) => {
        /// The names that the algorithm knows, by length and then by letters.
        const STANDARD: &[&str] = &[$($text,)+];

        /// The keys of these names, in the same order.
        const KEYS: &[u64] = &[$(key($text.as_bytes()),)+];

        impl Name { $(pub(crate) const $constant: Self = Self(position($text));)+ }
    };
}

standard_names! {
    ID = "id",
    EPC = "epc",
    SET = "set",
    UOM = "uom",
    ILMD = "ilmd",
    S_DEV = "sDev",
    TIME = "time",
    TYPE = "type",
    TEXT = "#text",
    UNSET = "unset",
    VALUE = "value",
    ACTION = "action",
    SOURCE = "source",
    BIZ_STEP = "bizStep",
    COMMENT = "comment",
    END_TIME = "endTime",
    EPC_LIST = "epcList",
    EVENT_ID = "eventID",
    RAW_DATA = "rawData",
    BIZ_RULES = "bizRules",
    DEVICE_ID = "deviceID",
    EPC_CLASS = "epcClass",
    MAX_VALUE = "maxValue",
    MIN_VALUE = "minValue",
    PARENT_ID = "parentID",
    PERC_RANK = "percRank",
    QUANTITY = "quantity",
    URI_VALUE = "uriValue",
    CHILD_EPCS = "childEPCs",
    COMPONENT = "component",
    EVENT_TIME = "eventTime",
    EXCEPTION = "exception",
    EXTENSION = "extension",
    MEAN_VALUE = "meanValue",
    PERC_VALUE = "percValue",
    READ_POINT = "readPoint",
    START_TIME = "startTime",
    RECORD_TIME = "recordTime",
    SOURCE_LIST = "sourceList",
    BIZ_LOCATION = "bizLocation",
    DESTINATION = "destination",
    DISPOSITION = "disposition",
    STRING_VALUE = "stringValue",
    BOOLEAN_VALUE = "booleanValue",
    INPUT_EPC_LIST = "inputEPCList",
    QUANTITY_LIST = "quantityList",
    SENSOR_REPORT = "sensorReport",
    BASE_EXTENSION = "baseExtension",
    MICROORGANISM = "microorganism",
    OUTPUT_EPC_LIST = "outputEPCList",
    SENSOR_ELEMENT = "sensorElement",
    BIZ_TRANSACTION = "bizTransaction",
    DEVICE_METADATA = "deviceMetadata",
    HEX_BINARY_VALUE = "hexBinaryValue",
    SENSOR_METADATA = "sensorMetadata",
    DESTINATION_LIST = "destinationList",
    QUANTITY_ELEMENT = "quantityElement",
    ERROR_DECLARATION = "errorDeclaration",
    TRANSFORMATION_ID = "transformationID",
    CERTIFICATION_INFO = "certificationInfo",
    CHEMICAL_SUBSTANCE = "chemicalSubstance",
    CHILD_QUANTITY_LIST = "childQuantityList",
    INPUT_QUANTITY_LIST = "inputQuantityList",
    SENSOR_ELEMENT_LIST = "sensorElementList",
    BIZ_TRANSACTION_LIST = "bizTransactionList",
    OUTPUT_QUANTITY_LIST = "outputQuantityList",
    EVENT_TIME_ZONE_OFFSET = "eventTimeZoneOffset",
    DATA_PROCESSING_METHOD = "dataProcessingMethod",
    PERSISTENT_DISPOSITION = "persistentDisposition",
    COORDINATE_REFERENCE_SYSTEM = "coordinateReferenceSystem",
}

/// The namespace of `xsi:type`, `xsi:nil` and the like, which are no data.
const XML_SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The namespace of `rdfs:comment`.
const RDF_SCHEMA: &str = "http://www.w3.org/2000/01/rdf-schema#";

/// Whether members of a name are left out wherever they stand: its namespace and the rest.
pub(crate) fn is_left_out(namespace: &str, local: &str) -> bool {
    namespace == XML_SCHEMA_INSTANCE || namespace == RDF_SCHEMA && local == "comment"
}

/// The length of a name and its first seven bytes, by which the standard names are told apart and ordered.
const fn key(name: &[u8]) -> u64 {
    let mut key = name.len() as u64;
    let mut rest = name;
    let mut count = 0;
    while count < 7 {
        key <<= 8;
        if let Some((byte, tail)) = rest.split_first() {
            key |= *byte as u64;
            rest = tail;
        }
        count += 1;
    }
    key
}

/// The same at run time, where the bytes of longer names are taken at once.
fn key_of(name: &[u8]) -> u64 {
    match name.first_chunk() {
        Some(first) => (name.len() as u64) << 56 | u64::from_be_bytes(*first) >> 8,
        None => key(name),
    }
}

/// Where the search for a key begins in [`SLOTS`].
const fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}

/// The numbers of the standard names, each in the first free place from its slot on; 255 where there is none.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
static SLOTS: [u8; 256] = {
    let mut slots = [255; 256];
    let mut number = 0;
    while number < KEYS.len() {
        let mut at = slot(KEYS[number]);
        while slots[at] != 255 {
            at = (at + 1) % 256;
        }
        slots[at] = number as u8;
        number += 1;
    }
    slots
};

/// Where a name stands among the standard names, if it is one.
fn standard(name: &str) -> Option<u32> {
    let wanted = key_of(name.as_bytes());
    let mut at = slot(wanted);
    // Ends: most places are empty.
    loop {
        let &number = SLOTS.get(at)?;
        if KEYS.get(usize::from(number))? == &wanted {
            let found = STANDARD.get(usize::from(number)) == Some(&name);
            return found.then_some(number.into());
        }
        at = (at + 1) % 256;
    }
}

/// Whether a name is one that the standard gives a meaning.
pub(crate) fn is_standard(name: &str) -> bool {
    standard(name).is_some()
}

/// Where a standard name stands among them.
const fn position(name: &str) -> u32 {
    let wanted = key(name.as_bytes());
    let mut position = 0;
    let mut rest = KEYS;
    while let Some((key, tail)) = rest.split_first() {
        if *key == wanted {
            break;
        }
        position += 1;
        rest = tail;
    }
    position
}

impl Name {
    /// A bit of its own for every standard name, none for the others.
    pub(super) fn bit(self) -> u128 {
        const { assert!(STANDARD.len() <= 128) };
        1_u128.checked_shl(self.0).unwrap_or_default()
    }
}

/// A namespace, as a number: equal namespaces have equal numbers in one [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Namespace(u32);

/// How long a namespace may be, in bytes: the pre-hash string repeats it in every name.
pub(crate) const MAX_NAMESPACE: usize = 8192;

/// What a namespace makes of the names in it.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// None, or one of EPCIS's own: the bare local name.
    Bare,
    /// That of `xsi:type` and its kin: no data.
    NoData,
    /// That of `rdfs:comment`.
    Rdfs,
    /// Any other: `{namespace}local`, the namespace taken literally.
    Other,
}

/// The names met so far, but for the standard ones.
///
/// A namespace is held once, however long it is and however many names are in it.
#[derive(Debug, Default)]
pub(crate) struct Names<'s> {
    /// Local names that lie in here are not copied.
    source: &'s str,
    namespaces: Vec<(Rc<str>, Kind)>,
    numbers: BTreeMap<Rc<str>, Namespace>,
    others: Vec<Other>,
    /// The other local names, one behind the other.
    copied: String,
    /// For a digest of a name, one that had it: most names come again and again. One that does not may be held twice.
    recent: Vec<u32>,
}

/// A name: where its local part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Other {
    namespace: Option<Namespace>,
    /// In the source or (flagged) among the copied texts.
    start: u32,
    length: u32,
}

/// Marks the start of a text that was copied.
const COPIED: u32 = 1 << 31;

/// Where a text lies in another one, if it is a part of it.
pub(super) fn offset_in(source: &str, text: &str) -> Option<usize> {
    let offset = (text.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
    let end = offset.checked_add(text.len())?;
    (end <= source.len()).then_some(offset)
}

/// How many names are remembered by their digests; a power of two.
const RECENT: usize = 1024;

impl<'s> Names<'s> {
    /// No names; local names that lie inside the source will not be copied.
    pub(crate) fn new(source: &'s str) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// The number of a namespace.
    pub(crate) fn namespace(&mut self, text: &str) -> Namespace {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = Namespace(self.namespaces.len() as u32);
        let kind = match text {
            "" => Kind::Bare,
            XML_SCHEMA_INSTANCE => Kind::NoData,
            RDF_SCHEMA => Kind::Rdfs,
            _ if is_epcis(text) => Kind::Bare,
            _ => Kind::Other,
        };
        let text: Rc<str> = text.into();
        self.namespaces.push((text.clone(), kind));
        self.numbers.insert(text, number);
        number
    }

    /// Whether a namespace is longer than one may be.
    pub(crate) fn is_too_long(&self, namespace: Namespace) -> bool {
        let known = self.namespaces.get(namespace.0 as usize);
        known.is_some_and(|(text, _)| text.len() > MAX_NAMESPACE)
    }

    /// The number of an expanded name; `None` where a node of this name is no data (`xsi:type` and its kin).
    pub(crate) fn expanded(&mut self, namespace: Namespace, local: &str) -> Option<Name> {
        let known = self.namespaces.get(namespace.0 as usize);
        match known.map_or(Kind::Bare, |(_, kind)| *kind) {
            Kind::Bare => Some(self.literal(local)),
            Kind::NoData => None,
            Kind::Rdfs if local == "comment" => Some(Name::COMMENT),
            Kind::Rdfs | Kind::Other => Some(self.other(Some(namespace), local)),
        }
    }

    /// The number of a name that stands in the pre-hash string as it is.
    pub(crate) fn literal(&mut self, name: &str) -> Name {
        match standard(name) {
            Some(position) => Name(position),
            None => self.other(None, name),
        }
    }

    fn other(&mut self, namespace: Option<Namespace>, local: &str) -> Name {
        let key =
            key_of(local.as_bytes()) ^ namespace.map_or(0, |namespace| 1 + u64::from(namespace.0));
        // Names of one list differ at their ends.
        let end = local
            .bytes()
            .rev()
            .take(4)
            .fold(0, |end: u64, byte| (end << 8) | u64::from(byte));
        let slot =
            ((key ^ (end << 24)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % RECENT;
        if let Some(&number) = self.recent.get(slot)
            && let Some(known) = self.others.get(number as usize)
            && known.namespace == namespace
            && self.local(*known) == local
        {
            return Name(STANDARD.len() as u32 + number);
        }
        let number = self.others.len() as u32;
        if self.recent.is_empty() {
            self.recent.resize(RECENT, u32::MAX);
        }
        if let Some(recent) = self.recent.get_mut(slot) {
            *recent = number;
        }
        if self.others.len() == self.others.capacity() {
            self.others.reserve_exact(self.others.len() / 4 + 64);
        }
        let start = match offset_in(self.source, local) {
            Some(offset) => offset as u32,
            None => {
                let start = self.copied.len() as u32 | COPIED;
                self.copied.push_str(local);
                start
            }
        };
        self.others.push(Other {
            namespace,
            start,
            length: local.len() as u32,
        });
        Name(STANDARD.len() as u32 + number)
    }

    /// Forgets all names; namespaces keep their numbers.
    pub(crate) fn clear(&mut self) {
        self.others.clear();
        self.copied.clear();
    }

    fn local(&self, name: Other) -> &str {
        let texts = if name.start & COPIED == 0 {
            self.source
        } else {
            &self.copied
        };
        let start = (name.start & !COPIED) as usize;
        let text = texts.get(start..start + name.length as usize);
        text.unwrap_or_default()
    }

    fn known(&self, name: Name) -> Option<Other> {
        let number = (name.0 as usize).checked_sub(STANDARD.len())?;
        self.others.get(number).copied()
    }

    /// The name as it stands in the pre-hash string: the namespace, if it shows one, and the rest.
    pub(crate) fn parts(&self, name: Name) -> (Option<&str>, &str) {
        if let Some(standard) = STANDARD.get(name.0 as usize) {
            return (None, standard);
        }
        let Some(known) = self.known(name) else {
            return (None, "");
        };
        let namespace = known
            .namespace
            .and_then(|namespace| self.namespaces.get(namespace.0 as usize));
        (namespace.map(|(text, _)| text.as_ref()), self.local(known))
    }

    /// Whether two names are the same, however they came by their numbers.
    pub(crate) fn are_same(&self, one: Name, other: Name) -> bool {
        one == other
            || match (self.known(one), self.known(other)) {
                (Some(one), Some(other)) => {
                    one.namespace == other.namespace && self.local(one) == self.local(other)
                }
                _ => false,
            }
    }

    /// Whether the name is one of a user's namespace, declared or not, and not a bare word.
    pub(crate) fn is_extension(&self, name: Name) -> bool {
        self.known(name).is_some_and(|known| {
            known.namespace.is_some() || self.local(known).contains([':', '{'])
        })
    }
}

/// The XML namespaces of EPCIS 1.x and 2.0: `urn:epcglobal:epcis:xsd:2`, `urn:epcglobal:epcis-query:xsd:1` and so on.
fn is_epcis(namespace: &str) -> bool {
    namespace.starts_with("urn:epcglobal:epcis")
        && (namespace.ends_with(":xsd:1") || namespace.ends_with(":xsd:2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_standard_name_is_found() {
        assert!(KEYS.is_sorted_by(|one, next| one < next));
        let mut names = Names::default();
        for (position, name) in STANDARD.iter().enumerate() {
            assert_eq!(key_of(name.as_bytes()), key(name.as_bytes()));
            assert_eq!(names.literal(name), Name(position as u32), "{name}");
        }
        assert!(names.others.is_empty());
        for other in [
            "",
            "bizStepx",
            "bizSte",
            "transformationIE",
            "coordinateReferenceSysteM",
        ] {
            assert_eq!(standard(other), None);
        }
        assert_eq!(names.parts(Name::EPC_LIST), (None, "epcList"));
    }

    #[test]
    fn names_are_expanded() {
        let mut names = Names::default();
        let mut text = |namespace: &str, local| {
            let namespace = names.namespace(namespace);
            let name = names.expanded(namespace, local)?;
            let text = match names.parts(name) {
                (Some(namespace), local) => format!("{{{namespace}}}{local}"),
                (None, local) => local.to_owned(),
            };
            Some((text, names.is_extension(name)))
        };
        let found = |name: &str, extension| Some((name.to_owned(), extension));
        assert_eq!(text("", "action"), found("action", false));
        assert_eq!(
            text("urn:epcglobal:epcis-query:xsd:1", "action"),
            found("action", false)
        );
        assert_eq!(text("urn:x/", "action"), found("{urn:x/}action", true));
        assert_eq!(text("urn:x/", "action"), found("{urn:x/}action", true));
        assert_eq!(text("", "tag1"), found("tag1", false));
        assert_eq!(text(RDF_SCHEMA, "comment"), found("comment", false));
        assert_eq!(text(XML_SCHEMA_INSTANCE, "nil"), None);
    }

    #[test]
    fn names_are_the_same_though_they_were_forgotten_between() {
        let mut names = Names::default();
        let namespace = names.namespace("urn:x/");
        let mut first = |local: &str| names.expanded(namespace, local).unwrap();
        let one = first("a0");
        // More names than are remembered.
        for number in 0..10 * RECENT {
            first(&format!("a{number}"));
        }
        let again = first("a0");
        assert!(names.are_same(one, again));
        let literal = names.literal("a0");
        assert!(!names.are_same(one, literal));
        assert!(!names.are_same(literal, Name::EPC));
    }
}
