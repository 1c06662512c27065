//! How much memory something takes: an allocator that counts.
//!
//! A suite makes it its own with `#[global_allocator] static ALLOCATOR: Counting = Counting;` and has one test alone, for a count
//! knows no threads.
#![expect(
    unsafe_code,
    reason = "an allocator that counts cannot be written without"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, with a count of what is in use.
///
/// `realloc` is left to the trait, which allocates, copies and frees: both copies count, as they would in wasm.
#[derive(Debug)]
pub struct Counting;

/// The bytes in use.
pub static IN_USE: AtomicUsize = AtomicUsize::new(0);
/// The most bytes in use at once, since somebody set it.
pub static PEAK: AtomicUsize = AtomicUsize::new(0);
/// The bytes of all allocations.
pub static TOTAL: AtomicUsize = AtomicUsize::new(0);

// SAFETY: both calls go to the system's allocator as they came.
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
