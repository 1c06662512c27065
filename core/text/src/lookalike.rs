//! Characters that look like ASCII but are not, or that cannot be seen at all.
//!
//! They come with texts that were copied out of PDF files, mails and spreadsheets: U+2010 for a hyphen, U+00A0 for a blank, U+200B where
//! nothing seems to be. No identifier, word or time of EPCIS has them, and nobody can find them by looking.
//! Of letters the table has those of Cyrillic and Greek that most fonts draw like one of ASCII.

use std::fmt::{self, Display, Formatter, Write as _};

/// What a character looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// This character of ASCII; a blank for spaces of every width.
    Like(char),
    /// Nothing: it cannot be seen.
    Nothing,
}

/// What a character looks like, if it looks like another one or like nothing.
pub fn look(character: char) -> Option<Look> {
    /// Letters of Cyrillic and Greek, and under each the one that it looks like.
    const LETTERS: &str = "АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧον";
    const LIKE_THEM: &str = "ABESIJKMHOPCTYXaeopcyxsijhdqwABEZHIKMNOPTYXov";
    let like = match character {
        '\0'..='\u{7f}' => return None,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => return Some(Look::Nothing),
        '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => ' ',
        '\u{2d7}' | '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => {
            '-'
        }
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{2036}' => '"',
        '\u{b4}' | '\u{2b9}' | '\u{2bc}' | '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2035}' => {
            '\''
        }
        '\u{2024}' | '\u{fe52}' => '.',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{2d0}' | '\u{2236}' | '\u{a789}' | '\u{fe55}' => ':',
        '\u{37e}' | '\u{fe54}' => ';',
        '\u{fe50}' => ',',
        // The forms of full width stand in the order of ASCII, and so do the digits of mathematical alphabets, five times.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0)?,
        '\u{1d7ce}'..='\u{1d7ff}' => char::from_digit((u32::from(character) - 0x1d7ce) % 10, 10)?,
        letter => {
            let mut pairs = LETTERS.chars().zip(LIKE_THEM.chars());
            pairs.find(|&(of_list, _)| of_list == letter)?.1
        }
    };
    Some(Look::Like(like))
}

/// The first character of a text, if it looks like another one or like nothing.
pub(crate) fn first(text: &str) -> Option<char> {
    text.chars().next().filter(|&first| look(first).is_some())
}

/// Whether a text has characters that are not ASCII, and each of them only looks like ASCII or cannot be seen.
fn is_only_alike(text: &str) -> bool {
    !text.is_ascii() && text.chars().all(|each| each.is_ascii() || look(each).is_some())
}

/// The text as it looks: `2026‐03‐04` with the hyphens of ASCII. Without blanks at its ends, if they were other spaces.
/// `None` if it has no such character, or others that are no ASCII: then it is in a language, and its letters are what they are.
pub fn corrected(text: &str) -> Option<String> {
    if !is_only_alike(text) {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match look(character) {
            None => plain.push(character),
            Some(Look::Like(like)) => plain.push(like),
            Some(Look::Nothing) => {}
        }
    }
    Some(plain.trim_matches(' ').to_owned())
}

/// [`corrected`], if this is surely what was meant: not for prose, whose dashes and quotes are what they should be.
pub fn mistaken(text: &str) -> Option<String> {
    let plain = corrected(text)?;
    // A key, a time, a lot, a URI: one word, with a digit or a colon. Or with something at its ends, or inside, that nobody sees.
    let is_one_word = !plain.is_empty() && !plain.contains(char::is_whitespace);
    let is_at_ends = || text.trim_matches(|each| look(each) == Some(Look::Like(' '))) != text;
    let is_hidden = || text.chars().any(|each| look(each) == Some(Look::Nothing));
    let has_code = plain.contains(|each: char| each.is_ascii_digit() || each == ':');
    (is_one_word && (has_code || is_at_ends() || is_hidden()) || mixes(text)).then_some(plain)
}

/// Whether a word of the text has letters of ASCII and others that only look like them: `ОBSERVE`.
pub fn mixes(text: &str) -> bool {
    let mut words = text.split(|each: char| !each.is_alphanumeric());
    words.any(|word| {
        word.contains(|each: char| each.is_ascii_alphabetic())
            && word.contains(|each: char| matches!(look(each), Some(Look::Like(_))))
    })
}

/// Names the characters of a text that cannot be told from others by looking, such as `; U+2010 looks like `-` (characters 5, 8)`.
/// Empty if it has none. Of a text in another script only those that cannot be seen, and spaces.
pub fn note(text: &str) -> String {
    /// The most different characters that are named, and places of each.
    const NAMED: usize = 4;
    let mut note = String::new();
    if text.is_ascii() {
        return note;
    }
    let is_alike = is_only_alike(text);
    let mut named: Vec<char> = Vec::new();
    for character in text.chars() {
        if named.len() < NAMED
            && !named.contains(&character)
            && is_shown_by_number(character, is_alike)
        {
            named.push(character);
            let mut places = text.chars().zip(1..).filter(|&(each, _)| each == character);
            let first: Vec<String> =
                places.by_ref().take(NAMED).map(|(_, place)| place.to_string()).collect();
            let _ = write!(
                note,
                "; {} {} (character{} {}{})",
                Number(character),
                Seen(character),
                if first.len() == 1 { "" } else { "s" },
                first.join(", "),
                if places.next().is_some() { ", …" } else { "" }
            );
        }
    }
    note
}

/// [`note`], and the text as it looks if that is right: `; U+2010 looks like `-` (character 5); did you mean `2026-03-04`?`
pub fn advice(text: &str, is_right: impl FnOnce(&str) -> bool) -> String {
    /// The longest text that is written out, in bytes; no time, word or identifier is longer.
    const LONGEST: usize = 500;
    let mut note = note(text);
    if let Some(plain) = corrected(text)
        && plain.len() <= LONGEST
        && !plain.contains('`')
        && is_right(&plain)
    {
        let _ = write!(note, "; did you mean `{plain}`?");
    }
    note
}

/// Whether a character of a text is shown as `U+2010`: it cannot be seen, is a space, or is taken for ASCII in a text that has no other
/// characters.
fn is_shown_by_number(character: char, is_alike: bool) -> bool {
    match look(character) {
        Some(Look::Nothing | Look::Like(' ')) => true,
        Some(Look::Like(_)) => is_alike,
        None => false,
    }
}

/// A text with numbers such as `U+2010` in place of the characters that cannot be told from others by looking.
pub struct Shown<'a>(pub &'a str);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_ascii() {
            return f.write_str(self.0);
        }
        let is_alike = is_only_alike(self.0);
        for character in self.0.chars() {
            if is_shown_by_number(character, is_alike) {
                Number(character).fmt(f)?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// The number of a character, such as `U+2010`.
pub(crate) struct Number(pub(crate) char);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))
    }
}

/// What a person sees of a character: it `looks like `-``, or `cannot be seen`.
pub(crate) struct Seen(pub(crate) char);

impl Display for Seen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match look(self.0) {
            Some(Look::Like(' ')) => f.write_str("looks like a blank"),
            Some(Look::Like(like)) => write!(f, "looks like `{like}`"),
            _ => f.write_str("cannot be seen"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Shown, advice, corrected, look, mistaken, note};

    #[test]
    fn what_looks_right_is_named_and_corrected() {
        assert_eq!(
            advice("2026\u{2010}03\u{2010}04", |plain| plain == "2026-03-04"),
            "; U+2010 looks like `-` (characters 5, 8); did you mean `2026-03-04`?"
        );
        assert_eq!(corrected("shipping\u{a0}").as_deref(), Some("shipping"));
        assert_eq!(corrected("ship\u{ad}ping").as_deref(), Some("shipping"));
        assert_eq!(corrected("ОBSERVE").as_deref(), Some("OBSERVE"));
        assert_eq!(corrected("９５2").as_deref(), Some("952"));
        assert_eq!(note("ship\u{200b}ping"), "; U+200B cannot be seen (character 5)");
        assert_eq!(Shown("a\u{a0}b").to_string(), "aU+00A0b");
    }

    #[test]
    fn a_text_in_a_language_is_left_as_it_is() {
        for text in ["Москва", "Ørsted – Søn", "Αθήνα", "plain"] {
            assert_eq!(corrected(text), None, "{text}");
            assert_eq!((note(text), Shown(text).to_string()), (String::new(), text.to_owned()));
        }
        // But what cannot be seen is named.
        assert_eq!(Shown("Москва\u{200b}").to_string(), "МоскваU+200B");
    }

    #[test]
    fn prose_is_not_mistaken() {
        for prose in ["Farm – North", "O’Neill", "Smith–Jones", "“Best before”", "5 – 8 °C", "Оса"]
        {
            assert_eq!(mistaken(prose), None, "{prose}");
        }
        for (text, meant) in [
            ("LOT‐12", "LOT-12"),
            ("shipping\u{a0}", "shipping"),
            ("ship\u{ad}ping", "shipping"),
            ("Сold room", "Cold room"),
            ("urn:epc:id:sscc:9521141.123\u{200b}", "urn:epc:id:sscc:9521141.123"),
        ] {
            assert_eq!(mistaken(text).as_deref(), Some(meant));
        }
    }

    #[test]
    fn nothing_of_ascii_looks_like_something_else() {
        assert!(('\0'..='\u{7f}').all(|character| look(character).is_none()));
        // The ends of both lists.
        assert_eq!(look('А'), Some(super::Look::Like('A')));
        assert_eq!(look('ν'), Some(super::Look::Like('v')));
    }
}
