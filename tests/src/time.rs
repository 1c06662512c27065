//! How much CPU time something takes. Only `make bench-growth` judges it: on a busy machine a time says little about the code.

use crate::variables;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Whether bounds are tried in full, with bodies up to 10 MiB and times that are judged: with `EPCIS_EDGE_BOUNDS=full`, which
/// `make bench-growth` sets.
///
/// # Panics
/// When the variable has another value.
#[must_use]
pub fn in_full() -> bool {
    variables::is("EPCIS_EDGE_BOUNDS", "full")
}

/// The CPU time of this thread so far, or the elapsed time if the system does not report it.
///
/// # Example
/// ```
/// use epcis_edge_tests::time::worked;
/// let before = worked();
/// std::thread::sleep(std::time::Duration::from_millis(30));
/// # if std::path::Path::new("/proc/thread-self/schedstat").exists() {
/// assert!((worked() - before).as_millis() < 30);
/// # }
/// ```
#[must_use]
pub fn worked() -> Duration {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| STARTED.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// The seconds this thread spends on some work, measured with [`worked`].
pub fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    // The kernel updates the count when the scheduler runs.
    std::thread::yield_now();
    let before = worked();
    std::hint::black_box(work());
    std::thread::yield_now();
    (worked() - before).as_secs_f64()
}
