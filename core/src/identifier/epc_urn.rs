//! EPC URNs to GS1 Digital Link.

use super::{Escapes, HOST, check_digit, is_digits};

/// Appends the Digital Link of what follows `urn:epc:`; on `None` the caller takes back what was appended.
pub(super) fn push(urn: &str, escapes: Escapes, out: &mut Vec<u8>) -> Option<()> {
    let (form, rest) = urn.split_once(':')?;
    let (scheme, body) = rest.split_once(':')?;
    let (prefix, rest) = body.split_once('.')?;
    if !(6..=12).contains(&prefix.len()) || !is_digits(prefix) {
        return None;
    }
    let mut link = Link {
        prefix,
        escapes,
        out,
    };
    match form {
        "id" => link.instance(scheme, rest),
        "class" if scheme == "lgtin" => {
            let lot = link.gtin("01/", rest)?;
            link.last("/10/", lot)
        }
        "idpat" => link.pattern(scheme, rest),
        _ => None,
    }
}

/// A Digital Link under way.
struct Link<'a> {
    /// The company prefix.
    prefix: &'a str,
    escapes: Escapes,
    out: &'a mut Vec<u8>,
}

impl<'a> Link<'a> {
    fn instance(&mut self, scheme: &str, rest: &'a str) -> Option<()> {
        match scheme {
            "sgtin" => {
                let serial = self.gtin("01/", rest)?;
                self.last("/21/", serial)
            }
            "upui" => {
                let serial = self.gtin("01/", rest)?;
                self.last("/235/", serial)
            }
            "itip" => {
                let serial = self.piece(rest)?;
                self.last("/21/", serial)
            }
            "sscc" => self.leading_digit_first("00/", rest, 17),
            "sgln" => {
                let extension = self.key("414/", rest)?;
                if extension == "0" {
                    return Some(());
                }
                self.last("/254/", extension)
            }
            "pgln" => self.whole("417/", rest, 12),
            "gsrn" => self.whole("8018/", rest, 17),
            "gsrnp" => self.whole("8017/", rest, 17),
            "gsin" => self.whole("402/", rest, 16),
            "grai" => {
                let serial = self.key("8003/0", rest)?;
                self.last("", serial)
            }
            "gdti" => {
                let serial = self.key("253/", rest)?;
                self.last("", serial)
            }
            "sgcn" => {
                let serial = self.key("255/", rest)?;
                self.last("", serial)
            }
            "giai" => self.free("8004/", rest),
            "ginc" => self.free("401/", rest),
            "cpi" => {
                let (part, serial) = rest.rsplit_once('.')?;
                self.free("8010/", part)?;
                self.last("/8011/", serial)
            }
            _ => None,
        }
    }

    fn pattern(&mut self, scheme: &str, rest: &'a str) -> Option<()> {
        let serial = match scheme {
            "sgtin" | "upui" => self.gtin("01/", rest)?,
            "itip" => self.piece(rest)?,
            "grai" => self.key("8003/0", rest)?,
            "gdti" => self.key("253/", rest)?,
            "sgcn" => self.key("255/", rest)?,
            "cpi" => {
                let (part, serial) = rest.rsplit_once('.')?;
                self.free("8010/", part)?;
                serial
            }
            _ => return None,
        };
        (serial == "*").then_some(())
    }

    /// The GTIN of a reference and what follows it; gives what follows.
    fn gtin(&mut self, key: &str, rest: &'a str) -> Option<&'a str> {
        let (reference, last) = rest.split_once('.')?;
        self.leading_digit_first(key, reference, 13)?;
        Some(last)
    }

    /// The ITIP of a reference, a piece and a total; gives the serial behind them.
    fn piece(&mut self, rest: &'a str) -> Option<&'a str> {
        let rest = self.gtin("8006/", rest)?;
        let (piece, rest) = rest.split_once('.')?;
        let (total, serial) = rest.split_once('.')?;
        for part in [piece, total] {
            if part.len() != 2 || !is_digits(part) {
                return None;
            }
            self.out.extend_from_slice(part.as_bytes());
        }
        Some(serial)
    }

    /// A key whose first digit (indicator, extension) stands in the URN behind the company prefix.
    fn leading_digit_first(&mut self, key: &str, reference: &str, length: usize) -> Option<()> {
        let (first, reference) = reference.split_at_checked(1)?;
        self.digits(key, [first, self.prefix, reference], length)
    }

    /// A key of 12 digits and what follows it; gives what follows.
    fn key(&mut self, key: &str, rest: &'a str) -> Option<&'a str> {
        let (reference, last) = rest.split_once('.')?;
        self.whole(key, reference, 12)?;
        Some(last)
    }

    fn whole(&mut self, key: &str, reference: &str, length: usize) -> Option<()> {
        self.digits(key, ["", self.prefix, reference], length)
    }

    /// A key of digits and its check digit; the zero that precedes a GRAI is part of what is checked, and weighs nothing.
    fn digits(&mut self, key: &str, parts: [&str; 3], length: usize) -> Option<()> {
        let found: usize = parts.iter().map(|part| part.len()).sum();
        if found != length || !parts.iter().all(|part| is_digits(part)) {
            return None;
        }
        self.start(key);
        let start = self.out.len();
        for part in parts {
            self.out.extend_from_slice(part.as_bytes());
        }
        let check = check_digit(self.out.get(start..)?);
        self.out.push(check);
        Some(())
    }

    /// A key that is the company prefix and free text.
    fn free(&mut self, key: &str, text: &str) -> Option<()> {
        self.start(key);
        self.out.extend_from_slice(self.prefix.as_bytes());
        self.last("", text)
    }

    fn start(&mut self, key: &str) {
        self.out.extend_from_slice(HOST);
        self.out.extend_from_slice(key.as_bytes());
    }

    /// A serial, lot or other last part behind its key.
    fn last(&mut self, key: &str, text: &str) -> Option<()> {
        if text.is_empty() {
            return None;
        }
        self.out.extend_from_slice(key.as_bytes());
        if self.escapes == Escapes::AsWritten {
            self.out.extend_from_slice(text.as_bytes());
            return Some(());
        }
        for byte in text.bytes() {
            let escaped: &[u8] = match byte {
                b'!' => b"%21",
                b'(' => b"%28",
                b')' => b"%29",
                b'*' => b"%2A",
                b'+' => b"%2B",
                b',' => b"%2C",
                b':' => b"%3A",
                _ => &[byte],
            };
            self.out.extend_from_slice(escaped);
        }
        Some(())
    }
}
