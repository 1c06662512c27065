//! The official schemas of EPCIS, compiled into tables by the build: the JSON schema of 2.0, assembled and pinned, and [`xml`].
//!
//! The build knows the keywords, patterns and formats of the schema, and nothing about EPCIS. It stops at anything unknown.

pub mod digest;
pub mod moment;
mod pattern;
mod table;
mod uri;
mod words;
pub mod xml;

pub use moment::is_date_time;
pub use pattern::{Pattern, TEXTS as PATTERNS};
pub use table::{
    Branch, Choice, Fact, Format, Id, Left, Names, Node, Object, Others, Rule, Test, Type,
};
pub use uri::{has_form_of_iri, is_uri};
pub use words::Words;

/// The bytes of the official schema, EPCIS 2.0.1.
pub const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/epcis-json-schema.json"));

/// SHA-256 of [`TEXT`], 64 lower-case hexadecimal digits; the build compared it with the pin.
pub const SHA256: &str = env!("EPCIS_SCHEMA_SHA256");

/// The words of every definition with an `enum`, in the order of the schema.
pub mod enumerations {
    include!(concat!(env!("OUT_DIR"), "/enumerations.rs"));
}

mod compiled {
    use super::{
        Branch, Choice, Fact, Format, Id, Left, Names, Node, Object, Others, Pattern, Rule, Test,
        Type, Words,
    };
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}

/// The node of a whole document.
pub const ROOT: Id = compiled::ROOT;

/// A node of the compiled schema.
#[must_use]
pub fn node(id: Id) -> &'static Node {
    // INVARIANT: the build writes only ids of existing nodes.
    compiled::NODES.get(usize::from(id)).unwrap_or(&compiled::ANYTHING)
}
