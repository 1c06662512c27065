//! The suites that count the memory they take, or try bodies that are long: they need an allocator that counts, and most of them time.

use epcis_edge_tests::memory::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

mod capture_limits;
mod check_bounds;
mod check_budget;
mod disclosure_bounds;
mod follow_bounds;
mod hash_memory;
mod query_limits;
mod report_bounds;
mod store_memory;
mod translate_bounds;
mod validate_bounds;
