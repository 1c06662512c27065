//! Lists and texts that may be a large part of the memory there is: they grow by a quarter, not to the double.

/// Adds to a list that may be a large part of the memory there is: it grows by a quarter, not to the double.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    const LARGE: usize = 1 << 14;
    if list.len() == list.capacity() && list.len() >= LARGE {
        list.reserve_exact(list.len() / 4);
    }
    list.push(item);
}

/// Makes room in a text that may be a large part of the memory there is: it grows by a quarter, not to the double.
pub(crate) fn make_room(text: &mut String) {
    // A name with its prefix, even percent-encoded, finds room in it.
    const LARGE: usize = 1 << 18;
    const SPARE: usize = 8 << 10;
    if text.len() >= LARGE && text.capacity() - text.len() < SPARE {
        text.reserve_exact(SPARE.max(text.len() / 4));
    }
}

/// Appends to a text that may be a large part of the memory there is: it grows by a quarter, not to the double.
pub(crate) fn push_text(text: &mut String, more: &str) {
    const LARGE: usize = 1 << 18;
    if text.capacity() - text.len() < more.len() && text.len() >= LARGE {
        text.reserve_exact(more.len().max(text.len() / 4));
    }
    text.push_str(more);
}
