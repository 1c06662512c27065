//! The words of `form`: how a text is written. Each takes one pass over the text.

use epcis_edge_document::identifier::check_digit;
use epcis_edge_schema::moment::Written;
use epcis_edge_text::time::Timestamp;

/// How a text is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Named(Test),
    /// From the first number of digits to the second.
    Digits(usize, usize),
}

/// Whether a text has a form.
type Test = fn(&str) -> bool;

/// The forms without numbers; the only other form is `digits:8-14`.
const NAMES: [(&str, Test); 10] = [
    // A date without time: `YYYY-MM-DD`, a day of the calendar.
    ("date", is_date),
    // A time with an offset: RFC 3339.
    ("date-time", |text| Timestamp::parse(text).is_some()),
    // Two capital letters of ISO 3166-1.
    ("country-alpha-2", is_country),
    // A National Drug Code of ten digits with hyphens: 4-4-2, 5-3-2 or 5-4-1.
    ("ndc-hyphenated", is_hyphenated_ndc),
    ("ndc-11", |text| text.len() == 11 && are_digits(text.as_bytes())),
    // The number of a ship: `IMO` and seven digits, the last of which is a check digit.
    ("imo", |text| text.strip_prefix("IMO").is_some_and(is_imo)),
    // Thirteen digits, the last of which is the check digit.
    ("gln", is_gln),
    // A business transaction of the CBV: `urn:epcglobal:cbv:bt:`, a GLN, `:` and a number.
    ("business-transaction", is_business_transaction),
    // With or without `urn:uuid:`.
    ("uuid", |text| is_uuid(text.strip_prefix("urn:uuid:").unwrap_or(text))),
    ("boolean", |text| matches!(text, "true" | "false")),
];

impl Form {
    /// The form with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        if let Some(counts) = name.strip_prefix("digits:") {
            let (least, most) = counts.split_once('-').unwrap_or((counts, counts));
            let (least, most) = (least.parse().ok()?, most.parse().ok()?);
            return (1..=most).contains(&least).then_some(Self::Digits(least, most));
        }
        let mut names = NAMES.iter();
        names.find(|(known, _)| *known == name).map(|(_, form)| Self::Named(*form))
    }

    /// All names, for messages.
    pub(super) fn known() -> String {
        let names = NAMES.iter().map(|(name, _)| *name);
        let all: Vec<&str> = names.chain(["digits:8", "digits:8-14"]).collect();
        all.join(", ")
    }

    /// Whether a text has this form.
    pub(super) fn has(self, text: &str) -> bool {
        match self {
            Self::Named(is) => is(text),
            Self::Digits(least, most) => {
                (least..=most).contains(&text.len()) && are_digits(text.as_bytes())
            }
        }
    }
}

fn are_digits(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

/// Whether a text is a day of the calendar, as `YYYY-MM-DD`.
pub(super) fn is_date(text: &str) -> bool {
    const LENGTH: usize = "YYYY-MM-DD".len();
    text.len() == LENGTH
        && Written::read(format!("{text}T00:00:00Z").as_bytes())
            .is_some_and(|written| written.is_day())
}

/// Source: 21 CFR 207.33: ten digits in three parts.
fn is_hyphenated_ndc(text: &str) -> bool {
    let mut parts = text.splitn(4, '-').map(str::as_bytes);
    let (Some(labeler), Some(product), Some(package), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let lengths = (labeler.len(), product.len(), package.len());
    matches!(lengths, (4, 4, 2) | (5, 3, 2) | (5, 4, 1))
        && [labeler, product, package].into_iter().all(are_digits)
}

/// Source: IMO Resolution A.1117(30): the check digit is the last digit of the sum of the other digits, weighted 7 to 2.
fn is_imo(digits: &str) -> bool {
    let digits = digits.as_bytes();
    let Some((last, others)) =
        digits.split_last().filter(|_| digits.len() == 7 && are_digits(digits))
    else {
        return false;
    };
    let factors = (2..=7).rev();
    let sum: u32 =
        others.iter().zip(factors).map(|(digit, factor)| u32::from(digit - b'0') * factor).sum();
    sum % 10 == u32::from(last - b'0')
}

fn is_gln(text: &str) -> bool {
    text.as_bytes().split_last().is_some_and(|(last, others)| {
        text.len() == 13 && are_digits(text.as_bytes()) && check_digit(others) == *last
    })
}

fn is_business_transaction(text: &str) -> bool {
    let parts = text.strip_prefix("urn:epcglobal:cbv:bt:").and_then(|parts| parts.split_once(':'));
    parts.is_some_and(|(gln, number)| is_gln(gln) && !number.is_empty())
}

fn is_country(text: &str) -> bool {
    COUNTRIES.as_bytes().chunks(3).any(|code| code.get(..2) == Some(text.as_bytes()))
}

/// Source: RFC 9562, 4.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The codes of ISO 3166-1 alpha-2, in order.
const COUNTRIES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI \
GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI \
LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF \
PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL \
TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_exact() {
        for (name, good, bad) in [
            ("date", "2027-02-28", "2027-02-29"),
            ("date", "2028-02-29", "270325"),
            ("date", "1970-01-01", "2027-02-28T00:00:00Z"),
            ("date-time", "2027-02-28T10:00:00.000+01:00", "2027-02-28"),
            ("digits:10", "0012345678", "001234567"),
            ("digits:2-3", "123", "1234"),
            ("country-alpha-2", "NO", "no"),
            ("country-alpha-2", "ZW", "ZZ"),
            ("country-alpha-2", "AD", "D "),
            ("ndc-hyphenated", "0001-0123-45", "00010-123-4"),
            ("ndc-hyphenated", "12345-678-90", "0001-0123-45-"),
            ("ndc-hyphenated", "12345-6789-0", "0001-O123-45"),
            ("ndc-11", "00001012345", "0001-0123-45"),
            ("imo", "IMO9074729", "IMO9074720"),
            ("imo", "IMO9074729", "IMO12345678"),
            ("gln", "9521141001011", "9521141001012"),
            (
                "business-transaction",
                "urn:epcglobal:cbv:bt:9521141001011:PO-1",
                "urn:epcglobal:cbv:bt:9521141001012:PO-1",
            ),
            (
                "business-transaction",
                "urn:epcglobal:cbv:bt:9521141001011:1",
                "urn:epcglobal:cbv:bt:9521141001011:",
            ),
            (
                "uuid",
                "urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8",
                "374d95fc9457-4a51-bd6a-0bba133845a8-",
            ),
            ("boolean", "true", "TRUE"),
        ] {
            let form = Form::named(name).unwrap();
            assert!(form.has(good), "{name}: {good}");
            assert!(!form.has(bad), "{name}: {bad}");
        }
        for unknown in ["", "dates", "digits:", "digits:3-2", "digits:0", "digits:x-2"] {
            assert!(Form::named(unknown).is_none(), "{unknown}");
        }
        assert_eq!(COUNTRIES.split(' ').count(), 249);
    }
}
