//! The suites that compare our verdicts and models with those of other engines: the `jsonschema` crate, libxml2, the official schemas.

mod referee;
mod xml_referee;
mod xml_schema;
