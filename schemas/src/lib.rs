//! The official EPCIS 2.0 JSON schema: assembled, pinned, and asked what a document breaks.
//!
//! A crate of its own for one reason: the generic keyword engine of the `jsonschema` crate is instantiated where it is used, and
//! is two thirds of the whole product. Here it is compiled for size, while the core is compiled for speed.

mod date_time;

pub use date_time::is_date_time;

use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

/// The bytes of the official schema, EPCIS 2.0.1.
pub const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/epcis-json-schema.json"));

/// SHA-256 of [`TEXT`], 64 lower-case hexadecimal digits; the build compared it with the pin.
pub const SHA256: &str = env!("EPCIS_SCHEMA_SHA256");

/// The official schema, compiled.
pub struct Schema {
    value: Value,
    compiled: jsonschema::Validator,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schema")
            .field("sha256", &SHA256)
            .finish_non_exhaustive()
    }
}

/// One thing that an instance breaks, as the outermost keyword that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// JSON Pointer of the value at fault.
    pub instance_path: String,
    /// The keyword that failed.
    pub keyword: String,
    /// JSON Pointer of that keyword in the schema, references resolved.
    pub schema_path: String,
    /// What the keyword wanted.
    pub wanted: Wanted,
}

/// What a keyword wanted, for the keywords that the official schema uses.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// `additionalProperties`: none of these.
    NoOther(Vec<String>),
    /// `anyOf`: one of several choices.
    Choice,
    /// `enum`: one of these words.
    OneOf(Vec<String>),
    /// `format`: this format.
    Format(String),
    /// `minItems`: at least so many.
    AtLeast(u64),
    /// `pattern`.
    Pattern,
    /// `propertyNames`: not this name.
    OtherName(String),
    /// `required`: this member.
    Member(String),
    /// `type`: this type.
    Type(String),
    /// `uniqueItems`.
    NoRepeats,
    /// Any other keyword.
    Other,
}

impl Schema {
    /// Compiles the schema, formats on. This takes milliseconds: do it once.
    ///
    /// # Errors
    /// A sentence, if the schema were none; the tests show that it is one.
    #[inline(never)]
    pub fn compile() -> Result<Self, String> {
        let value = serde_json::from_str(TEXT).map_err(|error| error.to_string())?;
        let options = jsonschema::options()
            .should_validate_formats(true)
            .with_format("date-time", is_date_time);
        let compiled = options.build(&value).map_err(|error| error.to_string())?;
        Ok(Self { value, compiled })
    }

    /// The schema itself.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// What the instance breaks, in the order of the schema, at most so many.
    #[must_use]
    #[inline(never)]
    pub fn failures(&self, instance: &Value, limit: usize) -> Vec<Failure> {
        let failures = self
            .compiled
            .iter_errors(instance)
            .take(limit)
            .map(|error| Failure {
                instance_path: error.instance_path().as_str().to_owned(),
                keyword: error.kind().keyword().to_owned(),
                schema_path: error.schema_path().as_str().to_owned(),
                wanted: wanted(error.kind()),
            });
        failures.collect()
    }
}

fn wanted(kind: &ValidationErrorKind) -> Wanted {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match kind {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            Wanted::NoOther(unexpected.clone())
        }
        ValidationErrorKind::AnyOf { .. } => Wanted::Choice,
        ValidationErrorKind::Enum { options } => {
            Wanted::OneOf(options.as_array().into_iter().flatten().map(text).collect())
        }
        ValidationErrorKind::Format { format } => Wanted::Format(format.clone()),
        ValidationErrorKind::MinItems { limit } => Wanted::AtLeast(*limit),
        ValidationErrorKind::Pattern { .. } => Wanted::Pattern,
        ValidationErrorKind::PropertyNames { error } => Wanted::OtherName(text(error.instance())),
        ValidationErrorKind::Required { property } => Wanted::Member(text(property)),
        ValidationErrorKind::Type { kind } => Wanted::Type(match kind {
            jsonschema::error::TypeKind::Single(kind) => kind.to_string(),
            jsonschema::error::TypeKind::Multiple(_) => "another type".to_owned(),
        }),
        ValidationErrorKind::UniqueItems => Wanted::NoRepeats,
        _ => Wanted::Other,
    }
}
