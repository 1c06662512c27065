//! Every suite that needs no more than this process, as one program: a module is a suite.
//!
//! `cargo test -p epcis-edge-tests --test it validate::` runs one of them.

mod support;

mod accounts;
mod binding;
mod capture_names;
mod capture_plans;
mod check;
mod check_containment;
mod check_docs;
mod corpora;
mod golden;
mod hash_declared;
mod hash_own;
mod hash_properties;
mod hash_vectors;
mod hash_xml;
mod impossible;
mod log;
mod log_audit;
mod log_doors;
mod log_fields;
mod log_receipts;
mod master_data;
mod mcp;
mod postgres_plans;
mod profiles;
mod query_families;
mod report;
mod report_vectors;
mod required_checks;
mod rest;
mod same;
mod served;
mod store;
mod store_plans;
mod store_properties;
mod streams;
mod tidy;
mod to_xml_stream;
mod translate_agreement;
mod translate_clean_mutants;
mod translate_envelope;
mod translate_hash;
mod translate_mutants;
mod translate_own_vectors;
mod translate_refusals;
mod translate_round_trip;
mod translate_to_xml;
mod translate_vectors;
mod units;
mod validate;
mod vocabulary;
mod xml_verdict;
