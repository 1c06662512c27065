//! A wrong check digit of a key and the right one, for reports.

use super::mark;
use super::scan::scan_link;
use std::fmt;

/// A key whose last digit is not the right check digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongDigit<'t> {
    /// The name of the key at GS1.
    key: &'static str,
    /// The digits of the key, as written.
    digits: &'t str,
    found: char,
    right: char,
}

impl<'t> WrongDigit<'t> {
    /// The wrong check digit of a Digital Link; `None` if it is right, or if the key has none.
    pub fn of(link: &'t str) -> Option<Self> {
        let (found, scanned) = scan_link(link.as_bytes())?;
        let found = found.filter(|_| scanned.marks & mark::CHECK_DIGIT != 0)?;
        let (last, others) = found.parts.digits.split_last()?;
        let right = super::check_digit(others).into();
        let digits = found.parts.digits;
        let filler = found.key.filler.as_bytes();
        let digits = digits.strip_prefix(filler).unwrap_or(digits);
        Some(Self {
            key: match found.key.has_pieces {
                // An ITIP consists of a GTIN and its pieces.
                true => "GTIN",
                false => found.key.name,
            },
            digits: std::str::from_utf8(digits).ok()?,
            found: char::from(*last),
            right,
        })
    }
}

impl fmt::Display for WrongDigit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, digits, found, right } = self;
        write!(f, "wrong check digit in {key} {digits}: {found}, should be {right}")
    }
}

#[cfg(test)]
mod tests {
    use super::WrongDigit;

    #[test]
    fn every_key_with_a_check_digit_is_named_with_its_digits() {
        for (link, expected) in [
            ("01/09521141012346/21/A1", "GTIN 09521141012346: 6, should be 5"),
            ("gtin/9521141012346/lot/A1", "GTIN 9521141012346: 6, should be 5"),
            ("01/12345671/10/L1", "GTIN 12345671: 1, should be 0"),
            ("00/095211411234567893", "SSCC 095211411234567893: 3, should be 2"),
            ("414/9521141000121/254/7", "GLN 9521141000121: 1, should be 0"),
            ("417/9521141000121", "GLN 9521141000121: 1, should be 0"),
            ("8003/03001345000771", "GRAI 3001345000771: 1, should be 6"),
            ("8003/09521141777771X7", "GRAI 9521141777771: 1, should be 0"),
            ("253/95211415555535", "GDTI 9521141555553: 3, should be 2"),
            ("255/95211415555535", "GCN 9521141555553: 3, should be 2"),
            ("8018/952114112345678907", "GSRN 952114112345678907: 7, should be 6"),
            ("8017/952114112345678907", "GSRN 952114112345678907: 7, should be 6"),
            ("402/95211411234567893", "GSIN 95211411234567893: 3, should be 2"),
            ("8006/095211410123460102/21/7", "GTIN 09521141012346: 6, should be 5"),
        ] {
            for host in ["https://id.gs1.org", "https://id.gs1.org/a/b"] {
                let link = format!("{host}/{link}?x=1");
                let wrong = WrongDigit::of(&link).unwrap();
                assert_eq!(wrong.to_string(), format!("wrong check digit in {expected}"));
            }
        }
        for other in [
            "https://id.gs1.org/01/09521141012345/21/A1",
            "https://id.gs1.org/8004/9521141ABC",
            "https://id.gs1.org/01/09521141012",
            "urn:epc:id:sgtin:9521141.012345.1",
            "",
        ] {
            assert_eq!(WrongDigit::of(other), None, "{other}");
        }
    }
}
