//! The record of what the engine answers: verdicts, hashes, translations, findings, reports, answers of every door, leaves and tiles.
//!
//! Other suites say what an answer must be. This one says only that it is the same as before, for thousands of cases, so that code
//! can be moved without a change that nobody meant.
//! `tests/golden/` has a file for each group, with a line for each case and a digest for each facet of its answer.
//!
//! - `EPCIS_EDGE_GOLDEN=case` prints the values of all cases whose name contains this text, instead of comparing them.
//!   With `EPCIS_EDGE_GOLDEN_FILE` they are appended to that file.
//! - `scripts/golden.sh case` shows both sides: the values as the recorded commit computes them, and as they are now.
//! - `EPCIS_EDGE_BLESS=1` renews the record; the commit says what has changed and why.
// Invariant: No answer changes unnoticed: a record has a digest of each answer to all vectors, to mutants and to requests at every
// door.

mod doors;
mod gateway;
mod growth;
mod identifiers;
mod json;
mod log;
mod long;
mod masks;
mod mcp;
mod mutations;
mod packs;
mod queries;
mod recorder;
mod requests;
mod story;
mod table;
mod values;
mod vectors;
mod xml;
