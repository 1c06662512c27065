//! A counting allocator that measures how much memory a piece of work takes.
//!
//! A program installs it with `#[global_allocator] static ALLOCATOR: Counting = Counting;`. Each thread has counts of its own, so
//! tests that measure may run beside each other, as long as the work stays on the thread of its test.
#![expect(unsafe_code, reason = "an allocator that counts cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting the bytes that this thread uses.
///
/// `realloc` uses the trait's default, which allocates, copies and frees. So both copies count, as they would in wasm.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    static IN_USE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static TOTAL: Cell<usize> = const { Cell::new(0) };
}

/// The bytes that this thread has allocated and not freed. A thread that frees what another one allocated would count below zero:
/// then the number wraps around.
#[must_use]
pub fn in_use() -> usize {
    IN_USE.get()
}

/// The most bytes in use at once by this thread since [`reset_peak`].
#[must_use]
pub fn peak() -> usize {
    PEAK.get()
}

/// Counts the peak of this thread anew, from the bytes in use.
pub fn reset_peak() {
    PEAK.set(IN_USE.get());
}

/// The bytes of all allocations of this thread.
#[must_use]
pub fn total() -> usize {
    TOTAL.get()
}

// SAFETY: both calls are passed to the system's allocator unchanged. The counts need no allocation and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.get().wrapping_add(layout.size());
        IN_USE.set(in_use);
        // A count that has wrapped around is below zero, not a peak.
        if in_use <= isize::MAX.cast_unsigned() {
            PEAK.set(PEAK.get().max(in_use));
        }
        TOTAL.set(TOTAL.get() + layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.set(IN_USE.get().wrapping_sub(layout.size()));
        unsafe { System.dealloc(memory, layout) }
    }
}
