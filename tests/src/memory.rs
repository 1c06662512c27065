//! A counting allocator that measures how much memory something takes.
//!
//! A suite installs it with `#[global_allocator] static ALLOCATOR: Counting = Counting;`. Such a suite has only one test, because
//! the counts are shared by all threads.
#![expect(
    unsafe_code,
    reason = "an allocator that counts cannot be written without"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counting the bytes in use.
///
/// `realloc` uses the trait's default, which allocates, copies and frees. So both copies count, as they would in wasm.
#[derive(Debug)]
pub struct Counting;

/// The bytes in use.
pub static IN_USE: AtomicUsize = AtomicUsize::new(0);
/// The most bytes in use at once since it was last reset.
pub static PEAK: AtomicUsize = AtomicUsize::new(0);
/// The bytes of all allocations.
pub static TOTAL: AtomicUsize = AtomicUsize::new(0);

// SAFETY: both calls are passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Relaxed);
        TOTAL.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}
