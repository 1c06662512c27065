//! Computes the event hash of XML events: converts their trees to the trees of the hash algorithm.
//!
//! Wrappers of EPCIS 1.x are dropped where the standard has them; inside a user's element these names are the user's.

use super::characters::is_space;
use super::encoding::decode;
use super::envelope::{Child, EnvelopeNode};
use super::kinds::Root;
use super::namespace::{MDA_COLON, Name, Namespace, Namespaces};
use super::output_context::OutputContext;
use super::tree::Element;
use super::walk::{Walk, for_each_piece};
use crate::hash::name::Name as HashName;
use crate::hash::tree::{HashTree, Ignored, is_wrapper};
use crate::hash::{
    Engine, EventHash, HashWithStamps, IGNORE_NAMESPACE, PreHashed, Prefixes, Profile,
    Verification, stamp_namespaces, verification,
};
use epcis_edge_text::error::{Error, ErrorKind};

/// Returns the hashes of all events of an XML document, in its order.
///
/// **Shape** and **limits** as for [`translate`](super::translate), including which events are found.
/// Memory holds the hashes and one event; UTF-8 is borrowed.
///
/// # Errors
/// As [`translate`](super::translate), and as [`hash_document`](crate::hash::hash_document).
///
/// # Example
/// ```
/// use epcis_edge_document::{hash::Profile, translate::hash_xml};
/// let hashes = hash_xml(b"<ObjectEvent/>", Profile::Cbv20)?;
/// assert_eq!(
///     hashes[0].to_string(),
///     "ni:///sha-256;7aa6d15415d4b429d7c4f7b3f1aaebcdbd9a12ad5c6ff4951247b61e621b9659?ver=CBV2.0",
/// );
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: CBV 2.0, 8.9.
pub fn hash_xml(xml: &[u8], profile: Profile) -> Result<Vec<EventHash>, Error> {
    each(xml, profile, Engine::hash)
}

/// Returns the hashes of all events of an XML document with their pre-hash strings, in its order.
///
/// **Shape** and **limits** as for [`hash_xml`]; the strings are kept in memory.
///
/// # Errors
/// As [`hash_xml`].
///
/// **Source**: CBV 2.0, 8.9.
pub fn pre_hash_xml(xml: &[u8], profile: Profile) -> Result<Vec<PreHashed>, Error> {
    each(xml, profile, Engine::pre_hash)
}

fn each<R>(
    xml: &[u8],
    profile: Profile,
    hash: fn(&mut Engine, &HashTree<'_>) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    let mut hashes = Vec::new();
    for_each_event(xml, profile, |engine, tree| {
        hashes.push(hash(engine, tree)?);
        Ok(())
    })?;
    Ok(hashes)
}

/// Calls a function with every event of an XML document, in its order, and the engine that hashes it.
///
/// # Errors
/// As [`hash_xml`], and the first error of the function; after it the function is not called again.
pub(crate) fn for_each_event(
    xml: &[u8],
    profile: Profile,
    mut take: impl FnMut(&mut Engine, &HashTree<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = decode(xml)?;
    let mut tree = HashTree::default();
    let ignored = if profile == Profile::Ref2025 {
        ignored_fields(&text, &mut tree)?
    } else {
        Ignored::default()
    };
    let mut engine = Engine::new(profile, text.len());
    let mut outcome = Err(Error::new(ErrorKind::NoEvents));
    let mut has_failed = false;
    for_each_piece(&text, &mut |walk, child| {
        if has_failed || !matches!(child, Child::Event(_)) {
            return;
        }
        fill_with(&mut tree, walk, &ignored);
        outcome = take(&mut engine, &tree);
        has_failed = outcome.is_err();
    })?;
    outcome
}

/// Recomputes the `eventID` of every event of an XML document that has one in hash form, under every profile.
///
/// **Shape** and **limits** as for [`hash_xml`]; the results are those of [`verify`](crate::hash::verify).
///
/// # Errors
/// As [`hash_xml`].
///
/// # Example
/// ```
/// use epcis_edge_document::{hash::Verification, translate::verify_xml};
/// assert_eq!(verify_xml(b"<ObjectEvent/>")?, [Verification::NotHashForm]);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: CBV 2.0, 8.9.
pub fn verify_xml(xml: &[u8]) -> Result<Vec<Verification>, Error> {
    let text = decode(xml)?;
    let mut tree = HashTree::default();
    let mut ignored = ignored_fields(&text, &mut tree)?;
    let mut nothing = Ignored::default();
    let mut engines = Profile::ALL.map(|profile| (profile, Engine::new(profile, text.len())));
    let mut verified = Vec::new();
    for_each_piece(&text, &mut |walk, child| {
        if matches!(verified.last(), Some(Err(_))) || !matches!(child, Child::Event(_)) {
            return;
        }
        nothing.leave_out(&[]);
        fill_with(&mut tree, walk, &nothing);
        let event_id = tree.event_id().map(str::to_owned);
        verified.push(verification(event_id.as_deref(), |profile, left_out| {
            let ignored = if profile == Profile::Ref2025 { &mut ignored } else { &mut nothing };
            ignored.leave_out(left_out);
            fill_with(&mut tree, walk, ignored);
            let engine = engines.iter_mut().find(|(of, _)| *of == profile);
            let hash = engine.map(|(_, engine)| engine.hash(&tree)).transpose()?;
            Ok(hash.map(|hash| HashWithStamps { hash, stamps: stamp_namespaces(&tree) }))
        }));
    })?;
    if verified.is_empty() {
        return Err(Error::new(ErrorKind::NoEvents));
    }
    verified.into_iter().collect()
}

/// Whether a body is XML, not JSON: its first character is `<`, in an encoding that is accepted.
///
/// For callers that accept both.
///
/// # Example
/// ```
/// use epcis_edge_document::translate::is_xml;
/// assert!(is_xml(b"\xef\xbb\xbf\n<ObjectEvent/>") && !is_xml(b" {}"));
/// ```
#[must_use]
pub fn is_xml(body: &[u8]) -> bool {
    let (low, high) = match body {
        [0xff, 0xfe, ..] => (0, 1),
        [0xfe, 0xff, ..] => (1, 0),
        _ => {
            let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
            let first = body.iter().find(|&&byte| !is_space(byte));
            return first == Some(&b'<');
        }
    };
    let mut units = body.chunks(2).skip(1);
    units.find_map(|unit| match (unit.get(low), unit.get(high)) {
        (Some(&byte), Some(0)) if is_space(byte) => None,
        (Some(b'<'), Some(0)) => Some(true),
        _ => Some(false),
    }) == Some(true)
}

/// Returns the members of events that [`Profile::Ref2025`] ignores because the document says so.
fn ignored_fields(text: &str, tree: &mut HashTree<'_>) -> Result<Ignored, Error> {
    let mut ignored = Ignored::default();
    // The instruction may come after the events that it concerns.
    if text.contains("ignoreFields") {
        for_each_piece(text, &mut |walk, _| {
            let element = walk.tree.root();
            let name = element.name();
            if name.local != "ignoreFields"
                || walk.namespaces.name(name.namespace) != IGNORE_NAMESPACE
                || walk.holder() == Some(EnvelopeNode::EventList)
            {
                return;
            }
            for name in element.children().map(Element::name) {
                if let Some(name) = name_of(tree, &walk.namespaces, name) {
                    ignored.insert(tree, name);
                }
            }
        })?;
    }
    Ok(ignored)
}

/// Fills a tree with the event that was read last.
pub(super) fn fill_with(tree: &mut HashTree<'_>, walk: &Walk, ignored: &Ignored) {
    fill(tree, (walk.tree.root(), walk.root), &walk.namespaces, ignored);
}

/// Fills a hash tree with an event, which may be the document element; `ignored` are the members to omit because the document
/// says so.
pub(super) fn fill(
    tree: &mut HashTree<'_>,
    (event, root): (Element<'_>, Root),
    namespaces: &Namespaces,
    ignored: &Ignored,
) {
    tree.clear();
    let mut filling = HashTreeFiller { tree, namespaces, ignored };
    filling.event(event, matches!(root, Root::Event(_)));
}

struct HashTreeFiller<'f, 's> {
    tree: &'f mut HashTree<'s>,
    namespaces: &'f Namespaces,
    ignored: &'f Ignored,
}

impl HashTreeFiller<'_, '_> {
    /// Adds an event; as the document element it may have attributes of a document, which are omitted.
    fn event(&mut self, event: Element<'_>, is_document: bool) {
        self.tree.add_event(event.local());
        self.attributes(event, |name| {
            is_document
                && name.namespace == Namespace::NONE
                && matches!(name.local, "creationDate" | "schemaVersion")
        });
        self.children(event, true, self.ignored);
        self.tree.end();
    }

    fn attributes(&mut self, element: Element<'_>, is_left_out: impl Fn(Name<'_>) -> bool) {
        for attribute in element.attributes().iter() {
            if !is_left_out(attribute.name)
                && let Some(name) = name_of(self.tree, self.namespaces, attribute.name)
            {
                self.tree.leaf(name, attribute.value);
            }
        }
    }

    fn children(&mut self, holder: Element<'_>, in_standard: bool, ignored: &Ignored) {
        for child in holder.children() {
            let Some(name) = name_of(self.tree, self.namespaces, child.name()) else {
                continue;
            };
            if in_standard && is_wrapper(name) {
                self.attributes(child, |_| false);
                self.children(child, true, ignored);
            } else if !ignored.contains(self.tree, name) {
                self.element(name, child, in_standard && child.is_standard());
            }
        }
    }

    fn element(&mut self, name: HashName, element: Element<'_>, is_standard: bool) {
        if !element.has_children() && element.attributes().is_empty() {
            self.tree.leaf(name, element.text());
            return;
        }
        self.tree.start(name);
        self.attributes(element, |_| false);
        self.tree.text(element.leading_text());
        self.children(element, is_standard, &Ignored::default());
        self.tree.end();
    }
}

fn name_of(tree: &mut HashTree<'_>, namespaces: &Namespaces, name: Name<'_>) -> Option<HashName> {
    let namespace = if name.namespace.is_standard() {
        None
    } else {
        Some(tree.names.namespace(namespaces.name(name.namespace)))
    };
    tree.name(namespace, name.local)
}

/// The prefixes of a translation in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct GivenPrefixes<'c>(pub(super) &'c OutputContext, pub(super) &'c Namespaces);

impl Prefixes for GivenPrefixes<'_> {
    fn namespace(&self, prefix: &str) -> Option<&str> {
        let Self(context, namespaces) = self;
        if prefix == "cbvmda" {
            return context.declares_mda().then_some(MDA_COLON);
        }
        context.user_namespace(prefix).map(|namespace| namespaces.name(namespace))
    }
}
