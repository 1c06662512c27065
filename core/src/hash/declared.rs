//! What is known of prefixes beside what a document declares, and what becomes of those that nobody declares.

use super::profile::Profile;
use crate::error::{Error, ErrorKind};
use crate::json::{Kind, Value};

/// What becomes of a name whose prefix nobody declares.
///
/// An event that was cut out of its document has lost the prefixes that the document declares: `ex:lot` would be hashed as it
/// is written, and the hash would be another than in the document.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undeclared {
    /// The event is refused, with the name and its place.
    #[default]
    Refuse,
    /// The name is hashed as it is written.
    Keep,
}

impl Undeclared {
    /// What the option `undeclared` of the doors says: `refuse`, the default, or `keep`.
    ///
    /// # Errors
    /// [`ErrorKind::QueryParameter`] for every other word.
    pub fn named(word: Option<&str>) -> Result<Self, Error> {
        match word {
            None | Some("refuse") => Ok(Self::Refuse),
            Some("keep") => Ok(Self::Keep),
            Some(found) => Err(Error::new(ErrorKind::QueryParameter {
                name: "undeclared",
                found: found.to_owned(),
                expected: "`refuse` or `keep`",
            })),
        }
    }
}

/// What is known of prefixes beside what a document declares.
///
/// # Example
/// ```
/// use epcis_edge_core::{error::ErrorKind, hash::{Declared, Hashing, hash_document}, json::Document};
/// let whole = Document::read(br#"{"@context": {"ex": "https://ex.example/"}, "epcisBody": {"eventList": [
///     {"type": "ObjectEvent", "ex:lot": "A"}]}}"#)?;
/// let alone = Document::read(br#"{"type": "ObjectEvent", "ex:lot": "A"}"#)?;
/// let error = hash_document(&alone, Hashing::default()).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::UndeclaredPrefix { .. }));
/// let context = Document::read(br#"{"ex": "https://ex.example/"}"#)?;
/// let declared = Declared::by(context.root())?;
/// let hashes = hash_document(&alone, Hashing { declared, ..Hashing::default() })?;
/// assert_eq!(hashes, hash_document(&whole, Hashing::default())?);
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared<'d> {
    /// What stands where a `@context` does; it is outside of all that the document declares.
    pub(super) context: Option<Value<'d>>,
    /// What becomes of the rest.
    pub undeclared: Undeclared,
    /// Whether a context in force that is not read is trusted to declare what nothing else does.
    pub(super) trusts_unread: bool,
}

impl<'d> Declared<'d> {
    /// Requires that nothing is declared around XML: whether a context, or a rule for what is undeclared, was given beside it.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`]: XML declares its own prefixes, and what counts for nothing is refused.
    pub fn require_none(has_context: bool, has_undeclared: bool) -> Result<(), Error> {
        let name = match (has_context, has_undeclared) {
            (true, _) => "context",
            (false, true) => "undeclared",
            (false, false) => return Ok(()),
        };
        Err(Error::new(ErrorKind::Argument {
            name,
            found: Some("given beside XML".to_owned()),
            expected: "it beside JSON alone: XML declares its own prefixes",
        }))
    }

    /// Prefixes that a context declares, as if it were that of the document around: a string, an object or an array of these.
    /// What the document itself declares wins. A string is the address of a context, and none is fetched.
    ///
    /// # Errors
    /// [`ErrorKind::NotAContext`] for a number, a boolean, and what is no context inside of an array.
    pub fn by(context: Value<'d>) -> Result<Self, Error> {
        check(context, true)?;
        Ok(Self {
            context: Some(context),
            undeclared: Undeclared::Refuse,
            trusts_unread: false,
        })
    }

    /// The same with another rule for the prefixes that are still not declared.
    #[must_use]
    pub fn with(self, undeclared: Undeclared) -> Self {
        Self { undeclared, ..self }
    }

    /// The same, but a context in force that is not read is trusted to declare what nothing else does.
    pub(crate) fn trusting_unread(self) -> Self {
        Self {
            trusts_unread: true,
            ..self
        }
    }
}

impl From<Undeclared> for Declared<'_> {
    fn from(undeclared: Undeclared) -> Self {
        Self {
            context: None,
            undeclared,
            trusts_unread: false,
        }
    }
}

fn check(context: Value<'_>, is_outermost: bool) -> Result<(), Error> {
    match context.kind() {
        Kind::String | Kind::Object | Kind::Null => Ok(()),
        Kind::Array if is_outermost => context.elements().try_for_each(|entry| check(entry, false)),
        _ => Err(Error::at(ErrorKind::NotAContext, context.location())),
    }
}

/// How hashes are made: under which profile, and with which prefixes.
///
/// A profile alone converts into it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hashing<'d> {
    /// The reading of the algorithm.
    pub profile: Profile,
    /// The prefixes beside those of the document.
    pub declared: Declared<'d>,
}

impl From<Profile> for Hashing<'_> {
    fn from(profile: Profile) -> Self {
        Self {
            profile,
            declared: Declared::default(),
        }
    }
}
