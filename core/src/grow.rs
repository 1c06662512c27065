//! Lists and texts that may be a large part of the memory there is: they grow by a quarter, not to the double.

/// From how many bytes on a text is large.
const LARGE: usize = 1 << 18;

/// Makes room in a text for so many bytes more.
pub(crate) fn reserve(text: &mut String, more: usize) {
    let length = text.len();
    if text.capacity() - length < more && length.max(more) >= LARGE {
        text.reserve_exact(more.max(length / 4));
    }
}

/// Appends to a text.
pub(crate) fn push_text(text: &mut String, more: &str) {
    reserve(text, more.len());
    text.push_str(more);
}

/// Adds to a list.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    const LONG: usize = 1 << 14;
    if list.len() == list.capacity() && list.len() >= LONG {
        list.reserve_exact(list.len() / 4);
    }
    list.push(item);
}
