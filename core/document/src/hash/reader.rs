//! Finds the events of a JSON document, and reads each into a [`HashTree`].
//!
//! It has a pass of its own beside that of `event`: the hash takes every member of every object, and a prefix may turn any name into
//! one of the standard. Names and lists are those of `field`.
//!
//! There is no JSON-LD processing, and no context is fetched. Known prefixes are those that the document declares in place, and a
//! few that are built in.
//!
//! Why not as [`context`](crate::context) resolves prefixes?
//! The published vectors of the event hash read a prefix literally as it is declared, the innermost declaration last, even where JSON-LD
//! 1.1 accepts no prefix (a namespace without a final `/`, `cbvmda` without its colon), and they know `@xmlns:`.

use super::declared::{OuterPrefixes, UndeclaredPrefixRule};
use super::name::{MAX_NAMESPACE, Name, Namespace, is_excluded};
use super::profile::Switches;
use super::tree::{HashTree, Ignored};
use crate::context::{ADDRESSES, UNDECLARED, official_prefix};
use crate::field::{self, Count, Field};
use crate::vocabulary::EVENT_TYPES;
use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Document, Kind, Value};
use epcis_edge_text::slice::Known;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The namespace of the member `ignoreFields`, with which a document names fields to leave out of the hash.
pub(crate) const IGNORE_NAMESPACE: &str = "https://repository-x.example.com/";

/// The events of a document, in its order.
///
/// **Shape** as for [`hash_document`](super::hash_document).
///
/// # Errors
/// [`ErrorKind::NoEvents`] if the document has none; for an item, [`ErrorKind::NotAnEvent`] with the location of a value that is
/// no event.
pub fn events<'d>(
    document: &'d Document<'d>,
) -> Result<impl Iterator<Item = Result<Value<'d>, Error>>, Error> {
    let root = document.root();
    let body = root.get("epcisBody");
    let listed = |body: Value<'d>| {
        body.get("eventList")
            .or_else(|| body.pointer("/queryResults/resultsBody/eventList"))
            .or_else(|| body.get("event"))
    };
    let has_events = |found: &Value<'d>| match found.kind() {
        Kind::Array => found.elements().next().is_some(),
        Kind::Object => body.is_some() || is_event(*found),
        _ => false,
    };
    let found = body.map_or(Some(root), listed).filter(has_events);
    let found = found.ok_or_else(|| Error::new(ErrorKind::NoEvents))?;
    let one = (found.kind() == Kind::Object).then_some(found);
    Ok(one.into_iter().chain(found.elements()).map(move |value| {
        // Inside a document any typed object in this position is an event.
        let is_event = match body {
            Some(_) => !type_of(value).is_empty(),
            None => is_event(value),
        };
        if is_event { Ok(value) } else { Err(Error::at(ErrorKind::NotAnEvent, value.location())) }
    }))
}

/// Whether a bare object is an event by its `type`: one of the five types, or a user's own.
fn is_event(value: Value<'_>) -> bool {
    let event_type = type_of(value);
    EVENT_TYPES.contains(&event_type.as_ref()) || event_type.contains(':')
}

/// The `type`, or the first of several; empty if there is none.
fn type_of<'d>(value: Value<'d>) -> Cow<'d, str> {
    let first = |value: Value<'d>| match value.kind() {
        Kind::Array => value.elements().next(),
        _ => Some(value),
    };
    let event_type = value.get("type").and_then(first);
    event_type.and_then(Value::as_str).unwrap_or(Cow::Borrowed(""))
}

/// URI schemes without `//` but with a second colon: a name such as `urn:example:lot` is a URI, not a prefixed name.
const SCHEMES: [&str; 3] = ["did", "tag", "urn"];

/// Whether a name, split at its first colon, is a URI and not a prefixed name.
pub(crate) fn is_uri(prefix: &str, local: &str) -> bool {
    SCHEMES.contains(&prefix) && local.contains(':')
}

/// The prefixes of a document that is still being written.
pub(crate) trait Prefixes {
    /// The namespace of a prefix that `@context` will declare.
    fn namespace(&self, prefix: &str) -> Option<&str>;
}

/// Prints only the trait's name: more would add code to the page's WebAssembly file.
impl fmt::Debug for dyn Prefixes + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prefixes")
    }
}

/// The namespace of a declared prefix.
#[derive(Clone, Copy, Debug)]
enum Declared<'d> {
    /// As it is written, as long as no name has the prefix: a context may declare half a million of them.
    Unused(Value<'d>),
    Used(Namespace),
}

/// Reads the events of one document into trees.
#[derive(Debug, Default)]
pub(super) struct EventReader<'d> {
    /// The declared prefixes in force, with the places of their namespaces.
    prefixes: BTreeMap<Cow<'d, str>, u32>,
    /// The namespaces of the declarations that were not left.
    declared: Vec<Declared<'d>>,
    /// Prefixes declared outside of the text. If present, declarations in the text are ignored.
    given: Option<&'d dyn Prefixes>,
    gs1: &'static str,
    /// The declarations inside of events that are in force, the innermost last, each with the place that its prefix had before.
    replaced: Vec<(Cow<'d, str>, Option<u32>)>,
    /// Whether the declarations of the document were read, which stay in force.
    is_in_event: bool,
    /// Members of events that are left out of the hash.
    ignored: Ignored,
    /// The root of the document. If it is itself an event, it may have members of a document.
    root: Option<Value<'d>>,
    /// The rule for names with an undeclared prefix.
    rule: UndeclaredPrefixRule,
    trusts_unread: bool,
    /// The addresses of contexts in force that are not fetched, the innermost last.
    unread: Vec<Cow<'d, str>>,
    /// The first hashed name of the event with an undeclared prefix, with its value and the address of a context that was not
    /// fetched.
    undeclared: Option<(Cow<'d, str>, Value<'d>, Option<String>)>,
    /// The first name of the event whose namespace is too long.
    too_long: Option<String>,
    /// Whether the members being read are left out of the hash.
    is_silent: bool,
    /// Whether `certificationInfo` is hashed.
    counts_certification: bool,
}

/// The number of declarations in force outside of an object.
#[derive(Clone, Copy, Debug)]
struct ScopeMark {
    replaced: usize,
    unread: usize,
}

impl<'d> EventReader<'d> {
    /// A reader of events without their document. `given` has the document's prefixes; if present, declarations in the events are
    /// ignored.
    pub(super) fn with_prefixes(given: Option<&'d dyn Prefixes>, switches: &Switches) -> Self {
        Self {
            given,
            gs1: switches.gs1_vocabulary,
            rule: UndeclaredPrefixRule::Keep,
            counts_certification: switches.hashes_certification_info,
            ..Self::default()
        }
    }

    /// A reader that knows the document's prefixes.
    pub(super) fn new(
        document: &'d Document<'d>,
        tree: &mut HashTree<'_>,
        switches: &Switches,
        declared: OuterPrefixes<'d>,
    ) -> Self {
        let root = document.root();
        let mut reader = Self {
            root: Some(root),
            rule: declared.undeclared,
            trusts_unread: declared.trusts_unread,
            ..Self::with_prefixes(None, switches)
        };
        if let Some(context) = declared.context {
            reader.declare_context(context);
        }
        let body = root.get("epcisBody");
        // A bare event's own declarations are read with the event.
        if body.is_some() {
            reader.declare(root);
        }
        let results = body.and_then(|body| body.get("queryResults"));
        let results_body = results.and_then(|results| results.get("resultsBody"));
        for outer in [body, results, results_body].into_iter().flatten() {
            reader.declare(outer);
        }
        if switches.obeys_ignore_fields {
            for outer in [Some(root), results].into_iter().flatten() {
                reader.ignore_fields(outer, tree);
            }
        }
        reader
    }

    /// From now on events are read without the members in these namespaces, which replace those of an earlier call.
    pub(super) fn leave_out(&mut self, stamps: &[Box<str>]) {
        self.ignored.leave_out(stamps);
    }

    /// Adds the prefixes that an object declares.
    fn declare(&mut self, object: Value<'d>) {
        if self.given.is_some() {
            return;
        }
        for (name, value) in object.members() {
            if name == "@context" {
                self.declare_context(value);
                continue;
            }
            // The form of early drafts, `@xmlns:prefix`.
            let name = name.to_cow();
            if let Some(prefix) = name.strip_prefix("@xmlns:") {
                self.declare_prefix(prefix.to_owned().into(), value);
            }
        }
    }

    fn declare_context(&mut self, context: Value<'d>) {
        for entry in context.elements() {
            self.declare_context(entry);
        }
        if let Some(address) = context.as_str()
            && !ADDRESSES.iter().any(|official| address.starts_with(official))
        {
            self.unread.push(address);
        }
        for (prefix, definition) in context.members() {
            let namespace = match definition.kind() {
                Kind::Object => definition.get("@id"),
                _ => Some(definition),
            };
            let prefix = prefix.to_cow();
            if let Some(namespace) = namespace
                && !prefix.starts_with('@')
            {
                self.declare_prefix(prefix, namespace);
            }
        }
    }

    /// Reads `p:ignoreFields`: an array of member names as the events write them, or an object with such members.
    fn ignore_fields(&mut self, object: Value<'d>, tree: &mut HashTree<'_>) {
        for (name, value) in object.members() {
            let name = name.to_cow();
            let Some((prefix, "ignoreFields")) = name.split_once(':') else {
                continue;
            };
            if self.namespace(prefix, tree) == Some(tree.names.namespace(IGNORE_NAMESPACE)) {
                let fields = value.elements().filter_map(Value::as_str);
                // Translated from XML, where the names are empty elements.
                let members = value.members().map(|(name, _)| name.to_cow());
                for field in fields.chain(members) {
                    if let Some((name, _)) = self.name(&field, tree) {
                        self.ignored.insert(tree, name);
                    }
                }
            }
        }
    }

    /// Declares a prefix, if its namespace is a text.
    fn declare_prefix(&mut self, prefix: Cow<'d, str>, namespace: Value<'d>) {
        if namespace.kind() != Kind::String {
            return;
        }
        let place = self.declared.len() as u32;
        self.declared.push(Declared::Unused(namespace));
        let outer = self.prefixes.insert(prefix.clone(), place);
        if self.is_in_event {
            self.replaced.push((prefix, outer));
        }
    }

    /// Adds the declarations of an object, until [`leave`](Self::leave) is called with the result.
    fn enter(&mut self, object: Value<'d>) -> ScopeMark {
        let mark = ScopeMark { replaced: self.replaced.len(), unread: self.unread.len() };
        self.declare(object);
        mark
    }

    /// Restores the declarations that were in force at [`enter`](Self::enter).
    fn leave(&mut self, mark: ScopeMark) {
        self.unread.truncate(mark.unread);
        while self.replaced.len() > mark.replaced
            && let Some((prefix, place)) = self.replaced.pop()
        {
            self.declared.pop();
            match place {
                Some(place) => self.prefixes.insert(prefix, place),
                None => self.prefixes.remove(&prefix),
            };
        }
    }

    /// Adds an event to the tree.
    ///
    /// # Errors
    /// [`ErrorKind::UndeclaredPrefix`], if the rule refuses such names; [`ErrorKind::NamespaceTooLong`].
    pub(super) fn read(&mut self, event: Value<'d>, tree: &mut HashTree<'_>) -> Result<(), Error> {
        self.read_all(event, tree)?;
        match self.take_undeclared() {
            None => Ok(()),
            Some((kind, value)) => Err(Error::at(kind, value.location())),
        }
    }

    /// Takes the error for the first undeclared prefix of the last event, with the value of that member; `None` unless the rule
    /// refuses such names.
    pub(super) fn take_undeclared(&mut self) -> Option<(ErrorKind, Value<'d>)> {
        let (name, value, unread) = self.undeclared.take()?;
        let name = excerpt(&name);
        Some((ErrorKind::UndeclaredPrefix { name, unread }, value))
    }

    /// Adds an event to the tree without refusing undeclared prefixes; see [`take_undeclared`](Self::take_undeclared).
    ///
    /// # Errors
    /// [`ErrorKind::NamespaceTooLong`].
    pub(super) fn read_all(
        &mut self,
        event: Value<'d>,
        tree: &mut HashTree<'_>,
    ) -> Result<(), Error> {
        self.undeclared = None;
        self.is_in_event = true;
        let outer = self.enter(event);
        tree.add_event(&type_of(event));
        let is_root = self.root.is_some_and(|root| event.offset() == root.offset());
        for (key, value) in event.members() {
            // A bare event may carry the members of its document.
            let is_of_document = is_root && (key == "schemaVersion" || key == "creationDate");
            if key == "type" || is_of_document {
                continue;
            }
            let key = key.to_cow();
            let Some((name, has_meaning)) = self.name(&key, tree) else {
                continue;
            };
            if self.ignored.contains(tree, name) {
                continue;
            }
            let add = |reader: &mut Self, tree: &mut HashTree<'_>| match item_of(name) {
                Some(item) => reader.list(name, item, value, tree),
                None => reader.member(name, value, tree),
            };
            let counts = !is_excluded(name)
                && name != Name::COMMENT
                && (name != Name::CERTIFICATION_INFO || self.counts_certification);
            if counts && has_meaning {
                add(self, tree);
            } else {
                self.noticed((key, has_meaning), value, counts, tree, add);
            }
        }
        tree.end();
        self.leave(outer);
        if let Some(name) = self.too_long.take() {
            let limit = MAX_NAMESPACE;
            let kind = ErrorKind::NamespaceTooLong { name, limit };
            return Err(Error::at(kind, event.location()));
        }
        Ok(())
    }

    /// Adds a member of the event or of an object in it. Remembers the member if it is the first hashed one with an undeclared
    /// prefix.
    fn noticed(
        &mut self,
        (key, has_meaning): (Cow<'d, str>, bool),
        value: Value<'d>,
        counts: bool,
        tree: &mut HashTree<'_>,
        add: impl FnOnce(&mut Self, &mut HashTree<'_>),
    ) {
        let was_silent = self.is_silent;
        self.is_silent |= !counts;
        let may_be_declared = self.trusts_unread && !self.unread.is_empty();
        let is_wrong =
            self.rule == UndeclaredPrefixRule::Refuse && !has_meaning && !may_be_declared;
        let is_first = is_wrong && !self.is_silent && self.undeclared.is_none();
        if is_first {
            let unread = self.unread.last().map(|address| excerpt(address));
            self.undeclared = Some((key, value, unread));
        }
        let before = tree.len();
        add(self, tree);
        // A member with nothing in it, such as `null`, is not hashed.
        if is_first && tree.len() == before {
            self.undeclared = None;
        }
        self.is_silent = was_silent;
    }

    /// A list whose members have no names in JSON, but have element names in XML.
    fn list(&mut self, name: Name, item: &'static Field, list: Value<'d>, tree: &mut HashTree<'_>) {
        if list.kind() == Kind::Null {
            return;
        }
        tree.start(name);
        if list.kind() == Kind::Array {
            for value in list.elements() {
                self.item(item, value, tree);
            }
        } else {
            self.item(item, list, tree);
        }
        tree.end();
    }

    fn item(&mut self, item: &'static Field, value: Value<'d>, tree: &mut HashTree<'_>) {
        let name = Name::from(item.word);
        // In `{"type": …, "source": …}`, `source` is the text of the node `source`.
        if item.is_typed() && value.kind() == Kind::Object {
            self.object(name, value, Some(name), tree);
        } else {
            self.member(name, value, tree);
        }
    }

    fn member(&mut self, name: Name, value: Value<'d>, tree: &mut HashTree<'_>) {
        match value.kind() {
            Kind::Null => {}
            Kind::Boolean | Kind::Number => tree.leaf(name, value.source()),
            Kind::String => tree.json_leaf(name, value.as_text().known()),
            Kind::Array => {
                for element in value.elements() {
                    self.member(name, element, tree);
                }
            }
            Kind::Object => self.object(name, value, None, tree),
        }
    }

    /// An object. The member named `text`, if any, becomes the text of the node.
    fn object(
        &mut self,
        name: Name,
        object: Value<'d>,
        text: Option<Name>,
        tree: &mut HashTree<'_>,
    ) {
        let outer = self.enter(object);
        tree.start(name);
        for (key, value) in object.members() {
            let key = key.to_cow();
            match self.name(&key, tree) {
                None => {}
                Some((name, _)) if Some(name) == text => self.member(Name::TEXT, value, tree),
                Some((name, true)) if name != Name::COMMENT => self.member(name, value, tree),
                Some((name, has_meaning)) => {
                    let counts = name != Name::COMMENT;
                    self.noticed((key, has_meaning), value, counts, tree, |reader, tree| {
                        reader.member(name, value, tree);
                    });
                }
            }
        }
        tree.end();
        self.leave(outer);
    }

    /// The name of a member, and whether it has a meaning: false if its prefix is undeclared. `None` if the member declares a
    /// context or its namespace holds no data.
    ///
    /// A name with an undeclared prefix stays as it is written. So does a whole URI, but that has a meaning.
    fn name(&mut self, key: &str, tree: &mut HashTree<'_>) -> Option<(Name, bool)> {
        // Names are short: a plain loop is faster here than a search function.
        let colon = key.bytes().position(|byte| byte == b':');
        let Some((prefix, local)) = colon.and_then(|at| Some((key.get(..at)?, key.get(at + 1..)?)))
        else {
            if key == "@context" {
                return None;
            }
            let name = tree.name(None, &without_escapes(key));
            return name.map(|name| (name, true));
        };
        if prefix == "@xmlns" {
            return None;
        }
        if local.starts_with("//") {
            return Some((tree.names.literal(key), true));
        }
        match self.namespace(prefix, tree) {
            Some(namespace) => {
                if self.too_long.is_none() && tree.names.is_too_long(namespace) {
                    self.too_long = Some(excerpt(key));
                }
                let name = tree.name(Some(namespace), &without_escapes(local));
                name.map(|name| (name, true))
            }
            None if key == "rdfs:comment" => Some((Name::COMMENT, true)),
            None => {
                let is_uri = is_uri(prefix, local);
                // Names with the other prefixes of the official context are hashed as they are written.
                let has_meaning = is_uri || official_prefix(prefix).is_some();
                Some((tree.names.literal(key), has_meaning))
            }
        }
    }

    /// The namespace of a prefix. A declaration overrides a built-in prefix.
    fn namespace(&mut self, prefix: &str, tree: &mut HashTree<'_>) -> Option<Namespace> {
        let place = self.prefixes.get(prefix).copied();
        if let Some(declared) = place.and_then(|place| self.declared.get_mut(place as usize)) {
            return Some(match *declared {
                Declared::Used(namespace) => namespace,
                Declared::Unused(written) => {
                    let namespace = tree.names.namespace(&written.as_str().known());
                    *declared = Declared::Used(namespace);
                    namespace
                }
            });
        }
        if let Some(namespace) = self.given.and_then(|given| given.namespace(prefix)) {
            return Some(tree.names.namespace(namespace));
        }
        if prefix == "gs1" {
            return Some(tree.names.namespace(self.gs1));
        }
        if prefix == "xml" {
            return Some(tree.names.namespace("http://www.w3.org/XML/1998/namespace"));
        }
        let known = UNDECLARED.iter().find(|(known, _)| *known == prefix);
        known.map(|(_, namespace)| tree.names.namespace(namespace))
    }
}

/// The field of the members of a list, if they have no names in JSON.
fn item_of(list: Name) -> Option<&'static Field> {
    let number = field::number_of_word(list.word()?)?;
    match field::EVENT.get(usize::from(number))?.count {
        Count::List(item) => Some(item),
        _ => None,
    }
}

/// A local name with its percent-escapes decoded: the JSON schema requires member names to be URIs, and XML names cannot contain
/// `%`.
///
/// Stays as it is if the decoded bytes are not UTF-8.
pub(crate) fn without_escapes(local: &str) -> Cow<'_, str> {
    if !local.bytes().any(|byte| byte == b'%') {
        return local.into();
    }
    let decoded = percent_decode_str(local).decode_utf8();
    decoded.unwrap_or(local.into())
}

#[cfg(test)]
mod tests {
    use super::without_escapes;

    #[test]
    fn escapes_in_names_are_decoded_where_they_make_letters() {
        assert_eq!(without_escapes("gr%C3%BCn"), "grün");
        assert_eq!(without_escapes("plain"), "plain");
        assert_eq!(without_escapes("%C3"), "%C3");
        assert_eq!(without_escapes("a%zzb%4"), "a%zzb%4");
        assert_eq!(without_escapes("ü%41"), "üA");
    }
}
