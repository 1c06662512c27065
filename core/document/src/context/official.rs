//! The official contexts of EPCIS and CBV, as far as capture and queries need to know them.

use crate::vocabulary::MEASUREMENT_TYPE;
use epcis_edge_text::slice::Known;

/// The address of the official context that an event gets if it names none.
pub const EPCIS_CONTEXT: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";

/// The beginnings of the official addresses.
pub const ADDRESSES: [&str; 2] = ["https://ref.gs1.org/standards/", "https://gs1.github.io/EPCIS/"];

/// The IRIs of `recordTime`, in the released context and in its drafts.
pub const RECORD_TIMES: [&str; 3] = [
    "https://ref.gs1.org/epcis/recordTime",
    "https://ns.gs1.org/epcis/recordTime",
    "https://gs1.github.io/EPCIS/recordTime",
];

/// The terms that the official context defines and protects for whole documents, without its prefixes.
///
/// Terms that it defines only in scoped contexts (`source`, `value`) may be defined freely elsewhere.
#[rustfmt::skip]
const TERMS: [&str; 57] = [
    "AggregationEvent", "AssociationEvent", "Collection", "EPCISDocument", "EPCISQueryDocument", "ObjectEvent",
    "TransactionEvent", "TransformationEvent", "action", "baseURL", "bizLocation", "bizStep", "bizTransactionList",
    "certificationInfo", "childEPCs", "childQuantityList", "children", "creationDate", "destinationList", "disposition",
    "epcClass", "epcList", "epcisBody", "epcisHeader", "errorDeclaration", "eventID", "eventList", "eventTime",
    "eventTimeZoneOffset", "id", "ilmd", "inputEPCList", "inputQuantityList", "instanceIdentifier", "masterData",
    "member", "outputEPCList", "outputQuantityList", "parentID", "persistentDisposition", "quantity", "quantityList",
    "queryName", "queryResults", "readPoint", "receiver", "recordTime", "resultsBody", "schemaVersion", "sender",
    "sensorElementList", "sourceList", "subscriptionID", "transformationID", "type", "uom", "vocabularyList",
];

/// The terms that the official context defines only in scoped contexts.
#[rustfmt::skip]
const INNER_TERMS: [&str; 41] = [
    "attribute", "attributes", "bizRules", "bizTransaction", "booleanValue", "chemicalSubstance", "collection",
    "component", "coordinateReferenceSystem", "correctiveEventIDs", "dataProcessingMethod", "declarationTime",
    "destination", "deviceID", "deviceMetadata", "endTime", "epcisMasterData", "exception", "hexBinaryValue", "maxValue",
    "meanValue", "microorganism", "minValue", "percRank", "percValue", "quantityElement", "rawData", "reason", "sDev",
    "sensorElement", "sensorMetadata", "sensorReport", "set", "source", "startTime", "stringValue", "time", "unset",
    "uriValue", "value", "vocabularyElementList",
];

/// The prefixes that the official context defines.
const PREFIXES: [(&str, &str); 8] = [
    ("cbv", CBV),
    ("cbvmda", "urn:epcglobal:cbv:mda:"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("epcis", EPCIS),
    ("gs1", MEASUREMENT_TYPE.web),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

const CBV: &str = "https://ref.gs1.org/cbv/";
const EPCIS: &str = "https://ref.gs1.org/epcis/";

/// The namespaces of prefixes that need no declaration, as published tools read them. For `gs1` the hash profiles disagree.
pub const UNDECLARED: [(&str, &str); 3] =
    [("cbv", CBV), ("cbvmda", "urn:epcglobal:cbv:mda"), ("epcis", EPCIS)];

/// The namespace of a prefix in the official context.
pub fn prefix(name: &str) -> Option<&'static str> {
    let found = PREFIXES.iter().find(|(bound, _)| *bound == name);
    found.map(|(_, uri)| *uri)
}

/// Whether a name is a term or a prefix of the official context, ignoring case.
pub fn is_taken(name: &str) -> bool {
    let prefixes = PREFIXES.iter().map(|(bound, _)| bound);
    let mut all = TERMS.iter().chain(&INNER_TERMS).chain(prefixes);
    all.any(|taken| taken.eq_ignore_ascii_case(name))
}

/// The names that the official context gives to keywords.
const ALIASES: [(&str, &str); 4] =
    [("baseURL", "@base"), ("eventID", "@id"), ("id", "@id"), ("type", "@type")];

/// The keyword that a member is for JSON-LD readers, by the names of the official context.
pub fn keyword_of(name: &str) -> Option<&str> {
    if is_keyword_form(name) {
        return Some(name);
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    alias.map(|(_, keyword)| *keyword)
}

/// Whether a text is a keyword of JSON-LD or reserved for future ones: `@` and letters.
pub fn is_keyword_form(text: &str) -> bool {
    text.strip_prefix('@')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// The editions of the official context. They protect the same terms but bind some prefixes differently, so a reader refuses
/// one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edition {
    /// The draft, which may change.
    Draft,
    /// The context of EPCIS 2.0.0.
    First,
    /// The context of EPCIS 2.0.1, which is also at the address without a version.
    Second,
}

/// The contexts at the official addresses; any other file there is a schema or an ontology, or does not exist.
const FILES: [(&str, Edition); 4] = [
    (EPCIS_CONTEXT, Edition::First),
    ("https://ref.gs1.org/standards/epcis/2.0.1/epcis-context.jsonld", Edition::Second),
    ("https://ref.gs1.org/standards/epcis/epcis-context.jsonld", Edition::Second),
    ("https://gs1.github.io/EPCIS/epcis-context.jsonld", Edition::Draft),
];

/// The edition of the official context at an address.
pub fn edition_at(address: &str) -> Option<Edition> {
    let file = FILES.iter().find(|(file, _)| *file == address);
    file.map(|(_, edition)| *edition)
}

/// Whether the official context gives this name to the keyword.
pub(super) fn is_alias(term: &str, keyword: &str) -> bool {
    ALIASES.contains(&(term, keyword))
}

/// Whether a term, not a prefix, is protected by the official context.
pub(super) fn is_protected(term: &str) -> bool {
    TERMS.binary_search(&term).is_ok()
}

/// The namespace to which an edition of the official context binds a prefix, if it does. The inner `None` means that it is
/// unknown, since the draft has changed it before.
pub(super) fn bound(prefix: &str, edition: Edition) -> Option<Option<&'static str>> {
    let bound = self::prefix(prefix)?;
    Some(match (edition, prefix) {
        (Edition::Draft, "cbv" | "cbvmda" | "epcis" | "gs1") => None,
        (Edition::Second, "gs1") => Some(MEASUREMENT_TYPE.hashed_web),
        _ => Some(bound),
    })
}

/// Whether an edition of the official context binds a prefix to another namespace than this, or may do so.
pub(super) fn contradicts(prefix: &str, namespace: &str, edition: Edition) -> bool {
    bound(prefix, edition).is_some_and(|bound| bound != Some(namespace))
}

/// The prefixes that every edition of the official context binds.
pub(super) fn prefixes() -> impl Iterator<Item = &'static str> {
    PREFIXES.iter().map(|(bound, _)| *bound)
}

/// The members of every JavaScript object: readers in JavaScript fail on terms with these names, or lose them.
const OF_JAVASCRIPT: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// Whether a term has the name of a member of every JavaScript object.
pub(super) fn is_of_javascript(term: &str) -> bool {
    OF_JAVASCRIPT.contains(&term)
}

/// The known addresses of contexts.
///
/// # Example
/// ```ignore
/// let addresses = Addresses::new(&["https://example.com/contexts/".to_owned()]);
/// assert!(addresses.is_known("https://example.com/contexts/one.jsonld"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    allowed: Vec<String>,
}

impl Addresses {
    /// The official addresses, and all that begin with one of these.
    pub fn new(allowed: &[String]) -> Self {
        Self { allowed: allowed.to_vec() }
    }

    /// Whether a context at this address is known.
    pub(crate) fn is_known(&self, address: &str) -> bool {
        let mut allowed = self.allowed.iter().map(String::as_str);
        edition_at(address).is_some()
            || is_plain(address) && allowed.any(|start| begins_with(address, start))
    }

    /// Whether this is the context of EPCIS itself, in any edition.
    pub fn is_epcis(address: &str) -> bool {
        edition_at(address).is_some()
    }
}

/// Whether an address begins with another in whole parts: `https://a.example` is no such beginning of `https://a.example.org`.
fn begins_with(address: &str, start: &str) -> bool {
    address.strip_prefix(start).is_some_and(|rest| {
        rest.is_empty()
            || start.ends_with(['/', '?', '#', '='])
            || rest.starts_with(['/', '?', '#'])
    })
}

/// Whether every reader sees the same address: it has no `.` or `..` segments, and no characters that address parsers remove.
fn is_plain(address: &str) -> bool {
    let is_printed = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    let path = address.split(['?', '#']).next().known();
    let leads_elsewhere = path.split('/').any(|segment| {
        let segment = segment.to_ascii_lowercase().replace("%2e", ".");
        segment == "." || segment == ".."
    });
    address.bytes().all(is_printed) && !leads_elsewhere
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_sorted() {
        assert!(TERMS.is_sorted() && INNER_TERMS.is_sorted());
        assert!(is_protected("recordTime") && is_protected("member") && !is_protected("value"));
    }

    #[test]
    fn a_context_is_known_by_whole_parts_of_its_address() {
        let allowed =
            ["https://a.example".to_owned(), "https://b.example/contexts/one.jsonld".to_owned()];
        let addresses = Addresses::new(&allowed);
        for known in [
            EPCIS_CONTEXT,
            "https://gs1.github.io/EPCIS/epcis-context.jsonld",
            "https://ref.gs1.org/standards/epcis/epcis-context.jsonld",
            "https://a.example",
            "https://a.example/x",
            "https://b.example/contexts/one.jsonld",
            "https://b.example/contexts/one.jsonld?v=2",
        ] {
            assert!(addresses.is_known(known), "{known}");
        }
        for unknown in [
            "",
            "epcis-context.jsonld",
            "https://ref.gs1.org/",
            "https://ref.gs1.org/standards/cbv/2.0.0/",
            "https://ref.gs1.org/standards/epcis/2.0.0/query-schema.json",
            "https://ref.gs1.org/standards/epcis/9.9.9/epcis-context.jsonld",
            "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld?",
            "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld#x",
            "https://gs1.github.io/EPCIS/cbv-context-bizstep.jsonld",
            "https://ref.gs1.org.evil.example/standards/",
            "https://ref.gs1.org/standards/../evil.jsonld",
            "https://ref.gs1.org/standards/%2E%2e/evil.jsonld",
            "https://ref.gs1.org/standards/.\t./evil.jsonld",
            "https://ref.gs1.org/standards/..\\evil.jsonld",
            "HTTPS://REF.GS1.ORG/standards/",
            "https://a.example.org/",
            "https://a.example@evil.example/",
            "https://b.example/contexts/one.jsonld.evil",
            "data:application/ld+json,{}",
        ] {
            assert!(!addresses.is_known(unknown), "{unknown}");
        }
        assert!(Addresses::is_epcis(EPCIS_CONTEXT));
        assert!(!Addresses::is_epcis(
            "https://ref.gs1.org/standards/epcis/2.0.0/query-schema.json"
        ));
    }
}
