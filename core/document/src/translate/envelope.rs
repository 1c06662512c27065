//! The envelope: everything around the events and vocabulary elements of a document. One table describes it for both directions.
//!
//! Source: EPCIS 1.2 and 2.0, chapters 9 (XML) and 10 (JSON).

use super::kinds::{EventKind, Root};
use super::namespace::{Name, Namespace, Namespaces};
use super::reader::{Fault, Pass, Reader, Token};

/// The element that replaces the pieces of a list in the tree of an envelope; no XML element can have this name.
pub(super) const PIECES: &str = "#pieces";

/// An element or object of the envelope that contains others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EnvelopeNode {
    Document,
    Header,
    MasterData,
    VocabularyList,
    Vocabulary,
    VocabularyElementList,
    Body,
    QueryResults,
    ResultsBody,
    EventList,
}

/// An element whose children are read one by one: a holder, or the wrapper `extension` in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Container {
    pub(super) holder: EnvelopeNode,
    pub(super) in_extension: bool,
}

impl Container {
    pub(super) const fn of(holder: EnvelopeNode) -> Self {
        Self { holder, in_extension: false }
    }
}

/// The form of an element in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonForm {
    /// An object, or an entry of a list, with parts of its own.
    Object(EnvelopeNode),
    /// A list, in which each entry is an element.
    List(EnvelopeNode),
    /// A list of pieces, which are translated one by one.
    Pieces(EnvelopeNode),
    /// A member with a text.
    Text,
    /// A header that JSON has no home for; what can be kept of it is kept as text.
    Kept,
}

/// A row of the table: an element of the envelope and its form in JSON.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnvelopePart {
    pub(super) parent: EnvelopeNode,
    /// Whether the element is in the wrapper `extension` of its parent.
    pub(super) in_extension: bool,
    pub(super) element: &'static str,
    /// The kinds of documents that have it, as bits.
    of: u8,
    /// The member of the parent's object; empty if the element has no member of its own.
    pub(super) member: &'static str,
    pub(super) form: JsonForm,
}

const DOCUMENT: u8 = 1;
const QUERY: u8 = 2;
const MASTER_DATA: u8 = 4;
const ALL: u8 = DOCUMENT | QUERY | MASTER_DATA;

/// The parts of the envelope, in the order of XML.
#[rustfmt::skip]
static PARTS: [EnvelopePart; 15] = {
    use EnvelopeNode as H;
    const fn part(parent: EnvelopeNode, element: &'static str, of: u8, member: &'static str, how: JsonForm) -> EnvelopePart {
        let in_extension = matches!(how, JsonForm::Object(H::MasterData));
        EnvelopePart { parent, in_extension, element, of, member, form: how }
    }
    [
        part(H::Document, "EPCISHeader", DOCUMENT | MASTER_DATA, "epcisHeader", JsonForm::Object(H::Header)),
        part(H::Document, "EPCISHeader", QUERY, "epcisHeader", JsonForm::Kept),
        part(H::Document, "EPCISBody", ALL, "epcisBody", JsonForm::Object(H::Body)),
        part(H::Header, "EPCISMasterData", ALL, "epcisMasterData", JsonForm::Object(H::MasterData)),
        part(H::MasterData, "VocabularyList", ALL, "vocabularyList", JsonForm::List(H::VocabularyList)),
        part(H::VocabularyList, "Vocabulary", ALL, "", JsonForm::Object(H::Vocabulary)),
        part(H::Vocabulary, "VocabularyElementList", ALL, "vocabularyElementList", JsonForm::Pieces(H::VocabularyElementList)),
        part(H::Body, "EventList", DOCUMENT, "eventList", JsonForm::Pieces(H::EventList)),
        part(H::Body, "VocabularyList", MASTER_DATA, "", JsonForm::List(H::VocabularyList)),
        part(H::Body, "QueryResults", QUERY, "queryResults", JsonForm::Object(H::QueryResults)),
        part(H::QueryResults, "queryName", QUERY, "queryName", JsonForm::Text),
        part(H::QueryResults, "subscriptionID", QUERY, "subscriptionID", JsonForm::Text),
        part(H::QueryResults, "resultsBody", QUERY, "resultsBody", JsonForm::Object(H::ResultsBody)),
        part(H::ResultsBody, "VocabularyList", QUERY, "vocabularyList", JsonForm::List(H::VocabularyList)),
        part(H::ResultsBody, "EventList", QUERY, "eventList", JsonForm::Pieces(H::EventList)),
    ]
};

/// The kind of a child of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    Container(Container),
    Event(EventKind),
    VocabularyElement,
    /// The Standard Business Document Header.
    Header,
    /// The header of a query document, for which JSON has no home.
    QueryHeader,
    /// An extension, which becomes a member of the container's object.
    Member,
    /// A standard member with a text.
    Text,
    Unknown,
}

/// Returns the parts that a kind of document has.
pub(super) fn parts(root: Root) -> impl Iterator<Item = &'static EnvelopePart> {
    let of = match root {
        Root::Document | Root::Event(_) => DOCUMENT,
        Root::Query => QUERY,
        Root::MasterData => MASTER_DATA,
    };
    PARTS.iter().filter(move |part| part.of & of != 0)
}

/// Returns the kind of an element in a container.
pub(super) fn child(root: Root, container: Container, name: Name<'_>) -> Child {
    let Container { holder, in_extension } = container;
    // The body of a query document has results and nothing else.
    let is_open = root != Root::Query || holder != EnvelopeNode::Body;
    if !name.namespace.is_standard() {
        return match holder {
            EnvelopeNode::Header if !in_extension && name.namespace == Namespace::SBDH => {
                match name.local {
                    "StandardBusinessDocumentHeader" => Child::Header,
                    _ => Child::Unknown,
                }
            }
            EnvelopeNode::QueryResults if !in_extension => Child::Unknown,
            holder if has_members(holder) && is_open => Child::Member,
            _ => Child::Unknown,
        };
    }
    if name.local == "extension"
        && is_open
        && (has_members(holder) || holder == EnvelopeNode::EventList)
    {
        return Child::Container(Container { holder, in_extension: true });
    }
    match holder {
        EnvelopeNode::EventList => EventKind::of(name.local).map_or(Child::Unknown, Child::Event),
        EnvelopeNode::VocabularyElementList if name.local == "VocabularyElement" => {
            Child::VocabularyElement
        }
        _ => {
            let is_it = |part: &&EnvelopePart| {
                part.parent == holder
                    && part.in_extension == in_extension
                    && part.element == name.local
            };
            match parts(root).find(is_it).map(|part| part.form) {
                Some(
                    JsonForm::Object(holder) | JsonForm::List(holder) | JsonForm::Pieces(holder),
                ) => Child::Container(Container::of(holder)),
                Some(JsonForm::Text) => Child::Text,
                Some(JsonForm::Kept) => Child::QueryHeader,
                None => Child::Unknown,
            }
        }
    }
}

/// Whether users' elements in a holder become members of its object.
fn has_members(holder: EnvelopeNode) -> bool {
    use EnvelopeNode as H;
    matches!(holder, H::Document | H::Header | H::Body | H::QueryResults | H::Vocabulary)
}

/// The member of a document that keeps the whole Standard Business Document Header, as XML text.
///
/// Its name is a full IRI, the namespace of the header with the name of its element, so it needs no entry in `@context`.
pub const SBDH_MEMBER: &str = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader#StandardBusinessDocumentHeader";

/// The members of a document that take values from the header.
pub(super) const HEADER_MEMBERS: [&str; 3] = ["sender", "receiver", "instanceIdentifier"];

/// Whether a text is exactly one well-formed Standard Business Document Header, so that it can be written unchanged.
pub(super) fn is_header(text: &str) -> bool {
    if text.contains("<?") || text.contains("<!") {
        return false;
    }
    let mut namespaces = Namespaces::default();
    let mut pass = Pass::new(Reader::default(), text, true);
    let mut read = || {
        pass.look()?;
        let Token::Start = pass.next(&mut namespaces)? else {
            return Ok(false);
        };
        let name = pass.tag().name;
        let is_header =
            name.namespace == Namespace::SBDH && name.local == "StandardBusinessDocumentHeader";
        while !matches!(pass.next(&mut namespaces)?, Token::Eof) {}
        Ok::<bool, Fault>(is_header)
    };
    matches!(read(), Ok(true))
}
