//! Member names of JSON as qualified names of XML.

use crate::hash::without_escapes;
use crate::json::{Document, Kind, Text, Value};
use crate::translate::characters::is_ncname;
use crate::translate::namespace::{Name, Namespace};
use crate::translate::output_context::OutputContext;
use crate::translate::report::Code;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A name of the output, worked out beforehand.
#[derive(Clone, Debug)]
pub(in crate::translate) struct Resolved {
    pub(in crate::translate) prefix: String,
    pub(in crate::translate) local: String,
    pub(in crate::translate) namespace: Namespace,
    /// What is to be said wherever the name is used.
    pub(in crate::translate) note: Option<Code>,
}

/// Member names that do not stand in the text as they are meant, without their escapes.
pub(in crate::translate) type Table = BTreeMap<String, Resolved>;

/// Where the names of extensions come from.
#[derive(Clone, Copy)]
pub(in crate::translate) enum Names<'a> {
    /// The prefixes that this translation has just given, and names with escapes.
    Given(&'a OutputContext, &'a BTreeMap<String, String>),
    /// Every extension name of a document, by the name as it stands.
    Table(&'a Table),
}

impl<'a> Names<'a> {
    /// The qualified name of a member; none when it cannot be one of XML.
    pub(super) fn name<'d>(self, key: Text<'d>) -> Option<Name<'d>>
    where
        'a: 'd,
    {
        match self {
            Self::Given(context, decoded) => {
                let key: &'d str = match key.to_cow() {
                    Cow::Borrowed(key) if !key.contains('%') => key,
                    key => decoded.get(&*key)?,
                };
                let Some((prefix, local)) = key.split_once(':') else {
                    return is_ncname(key).then(|| Name::unqualified(key));
                };
                let namespace = context.namespace(prefix)?;
                Some(Name {
                    prefix,
                    local,
                    namespace,
                })
            }
            Self::Table(table) => {
                let key = key.to_cow();
                let resolved = table.get(&*key)?;
                Some(Name {
                    prefix: &resolved.prefix,
                    local: &resolved.local,
                    namespace: resolved.namespace,
                })
            }
        }
    }
}

impl Names<'_> {
    /// What is to be said of a member, because of its name.
    pub(super) fn note(self, key: Text<'_>) -> Option<Code> {
        match self {
            Self::Given(..) => None,
            Self::Table(table) => table.get(&*key.to_cow())?.note,
        }
    }

    /// Whether a member of a standard object has a place in XML: the schemas take elements of users in their own namespaces.
    /// What was translated just now may say wrongly what its source said wrongly.
    pub(super) fn has_place(self, name: Name<'_>) -> bool {
        matches!(self, Self::Given(..)) || name.namespace != Namespace::NONE
    }
}

/// The names in a text that were percent-encoded when it was written, by the name as it stands.
pub(in crate::translate) fn decoded_names(document: &Document<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    if document.text().contains('%') {
        for_each_name(document.root(), &mut |name| {
            if name.contains('%') {
                let decoded = without_escapes(&name).into_owned();
                names.insert(name.into_owned(), decoded);
            }
        });
    }
    names
}

/// Tells of the name of every member in a value.
pub(in crate::translate) fn for_each_name<'d>(
    value: Value<'d>,
    tell: &mut dyn FnMut(Cow<'d, str>),
) {
    match value.kind() {
        Kind::Object => {
            for (name, value) in value.members() {
                tell(name.to_cow());
                for_each_name(value, tell);
            }
        }
        Kind::Array => value
            .elements()
            .for_each(|value| for_each_name(value, tell)),
        _ => {}
    }
}
