//! Growth of lists and texts that may fill much of the memory: by a quarter, instead of doubling.

/// The length in bytes from which a text counts as large.
const LARGE: usize = 1 << 18;

/// Makes room in a text for `more` bytes.
pub fn reserve(text: &mut String, more: usize) {
    let length = text.len();
    if text.capacity() - length < more && length.max(more) >= LARGE {
        text.reserve_exact(more.max(length / 4));
    }
}

/// Appends to a text.
pub fn push_text(text: &mut String, more: &str) {
    reserve(text, more.len());
    text.push_str(more);
}

/// Appends a text in which some one-byte characters are replaced.
pub fn push_with_escapes(
    out: &mut String,
    text: &str,
    is_special: impl Fn(u8) -> bool,
    escape: fn(char) -> &'static str,
) {
    // Replacements may be longer, and the text would then double. The exact length is reserved, with some room for the text that follows.
    const LONG: usize = 1 << 16;
    const SPARE: usize = 8 << 10;
    if text.len() >= LONG {
        let special = text.bytes().filter(|byte| is_special(*byte));
        let more: usize = special.map(|byte| escape(char::from(byte)).len() - 1).sum();
        reserve(out, text.len() + more + SPARE);
    }
    let mut rest = text;
    while let Some(at) = rest.bytes().position(&is_special) {
        let (plain, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        push_text(out, plain);
        let mut characters = from.chars();
        out.push_str(characters.next().map_or("", escape));
        rest = characters.as_str();
    }
    push_text(out, rest);
}

/// Appends to a list.
pub fn push<T>(list: &mut Vec<T>, item: T) {
    const LONG: usize = 1 << 14;
    if list.len() == list.capacity() && list.len() >= LONG {
        list.reserve_exact(list.len() / 4);
    }
    list.push(item);
}
