//! Names by XML 1.0 (2.3) and Namespaces in XML.

fn is_start(character: char) -> bool {
    matches!(character,
        'A'..='Z' | '_' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

fn is_inside(character: char) -> bool {
    is_start(character)
        || matches!(character,
            '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// `xsd:NCName`.
#[must_use]
pub fn is_plain_name(text: &str) -> bool {
    text.starts_with(is_start) && text.chars().all(is_inside)
}

/// `xsd:Name`.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first| first == ':' || is_start(first))
        && text.chars().all(|character| character == ':' || is_inside(character))
}

/// `xsd:NMTOKEN`.
pub(super) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character == ':' || is_inside(character))
}

/// The prefix, which may be empty, and the local part of an `xsd:QName`; `None` for any other text.
#[must_use]
pub fn qualified(text: &str) -> Option<(&str, &str)> {
    let (prefix, local) = match text.split_once(':') {
        None => ("", text),
        Some((prefix, local)) if is_plain_name(prefix) => (prefix, local),
        Some(_) => return None,
    };
    is_plain_name(local).then_some((prefix, local))
}

/// `xsd:language`.
pub(super) fn is_language(text: &str) -> bool {
    text.split('-').enumerate().all(|(number, part)| {
        (1..=8).contains(&part.len())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || (number > 0 && byte.is_ascii_digit()))
    })
}
