//! Prefixes declared outside of a document, and the rule for names with undeclared prefixes.

use super::profile::Profile;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::{Kind, Value};

/// The rule for names with an undeclared prefix.
///
/// An event that was cut out of its document has lost the prefixes that the document declares: `ex:lot` would be hashed as it is
/// written, and the hash would differ from that in the document.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UndeclaredPrefixRule {
    /// The event is refused; the error has the name and its location.
    #[default]
    Refuse,
    /// The name is hashed as it is written.
    Keep,
}

impl UndeclaredPrefixRule {
    /// The rule for a value of the API option `undeclared`: `refuse`, the default, or `keep`.
    ///
    /// # Errors
    /// [`ErrorKind::QueryParameter`] for every other word.
    pub fn named(word: Option<&str>) -> Result<Self, Error> {
        match word {
            None | Some("refuse") => Ok(Self::Refuse),
            Some("keep") => Ok(Self::Keep),
            Some(found) => Err(Error::query_parameter("undeclared", found, "`refuse` or `keep`")),
        }
    }
}

/// Prefixes declared outside of a document, and the rule for names with undeclared prefixes.
///
/// # Example
/// ```
/// use epcis_edge_text::{error::ErrorKind, json::Document}; use epcis_edge_document::hash::{OuterPrefixes, Hashing, hash_document};
/// let whole = Document::read(br#"{"@context": {"ex": "https://ex.example/"}, "epcisBody": {"eventList": [
///     {"type": "ObjectEvent", "ex:lot": "A"}]}}"#)?;
/// let alone = Document::read(br#"{"type": "ObjectEvent", "ex:lot": "A"}"#)?;
/// let error = hash_document(&alone, Hashing::default()).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::UndeclaredPrefix { .. }));
/// let context = Document::read(br#"{"ex": "https://ex.example/"}"#)?;
/// let declared = OuterPrefixes::by(context.root())?;
/// let hashes = hash_document(&alone, Hashing { declared, ..Hashing::default() })?;
/// assert_eq!(hashes, hash_document(&whole, Hashing::default())?);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OuterPrefixes<'d> {
    /// A value as in `@context`. Its declarations are the outermost scope, so those of the document override them.
    pub(super) context: Option<Value<'d>>,
    /// The rule for names with an undeclared prefix.
    pub undeclared: UndeclaredPrefixRule,
    /// Whether a context that is in force but not fetched is trusted to declare every prefix that is otherwise undeclared.
    pub(super) trusts_unread: bool,
}

impl<'d> OuterPrefixes<'d> {
    /// Requires, for XML input, that the caller gave neither a context nor a rule for undeclared prefixes.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`]: XML declares its own prefixes, and an argument without effect is refused.
    pub fn require_none(has_context: bool, has_undeclared: bool) -> Result<(), Error> {
        let name = match (has_context, has_undeclared) {
            (true, _) => "context",
            (false, true) => "undeclared",
            (false, false) => return Ok(()),
        };
        Err(Error::argument(
            name,
            Some("given beside XML".to_owned()),
            "it beside JSON alone: XML declares its own prefixes",
        ))
    }

    /// Prefixes that a context declares, as if it were the context of the surrounding document: a string, an object or an array
    /// of these. Declarations of the document itself win. A string is the address of a context; none is fetched.
    ///
    /// # Errors
    /// [`ErrorKind::NotAContext`] for a number or a boolean, and for anything but a string, an object or `null` inside an array.
    pub fn by(context: Value<'d>) -> Result<Self, Error> {
        check(context, true)?;
        Ok(Self {
            context: Some(context),
            undeclared: UndeclaredPrefixRule::Refuse,
            trusts_unread: false,
        })
    }

    /// Replaces the rule for undeclared prefixes.
    #[must_use]
    pub fn with(self, undeclared: UndeclaredPrefixRule) -> Self {
        Self { undeclared, ..self }
    }

    /// Trusts a context that is in force but not fetched to declare every prefix that is otherwise undeclared.
    pub fn trusting_unread(self) -> Self {
        Self { trusts_unread: true, ..self }
    }
}

impl From<UndeclaredPrefixRule> for OuterPrefixes<'_> {
    fn from(undeclared: UndeclaredPrefixRule) -> Self {
        Self { context: None, undeclared, trusts_unread: false }
    }
}

fn check(context: Value<'_>, is_outermost: bool) -> Result<(), Error> {
    match context.kind() {
        Kind::String | Kind::Object | Kind::Null => Ok(()),
        Kind::Array if is_outermost => context.elements().try_for_each(|entry| check(entry, false)),
        _ => Err(Error::at(ErrorKind::NotAContext, context.location())),
    }
}

/// The options for hashing: a profile, and prefixes declared outside of the document.
///
/// A [`Profile`] converts into it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hashing<'d> {
    /// The version of the algorithm.
    pub profile: Profile,
    /// Prefixes in addition to those of the document.
    pub declared: OuterPrefixes<'d>,
}

impl From<Profile> for Hashing<'_> {
    fn from(profile: Profile) -> Self {
        Self { profile, declared: OuterPrefixes::default() }
    }
}
