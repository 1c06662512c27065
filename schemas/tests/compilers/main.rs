//! The compilers of the build: of the JSON schema, and of the content models of the XML schemas.

#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::allow_attributes,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the modules of the build, of which a test needs one function"
)]

#[path = "../../src/xml/builtin.rs"]
mod builtin;
#[path = "../../build/compile.rs"]
mod compile;
#[path = "../../src/digest.rs"]
mod digest;
mod json;
#[path = "../../src/xml/look.rs"]
mod look;
#[path = "../../build/model.rs"]
mod model;
#[path = "../../src/pattern.rs"]
mod pattern;
#[path = "../../src/words.rs"]
mod words;
mod xml;
