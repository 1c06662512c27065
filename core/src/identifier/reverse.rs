//! GS1 Digital Link to EPC URN.

use super::check_digit;
use super::digital_link::{self, Link};
use crate::error::{Error, ErrorKind, IdentifierFault};

pub(super) fn to_epc_urn(digital_link: &str, prefix_length: usize) -> Result<String, Error> {
    let link = digital_link::parse(digital_link).ok_or(IdentifierFault::NotDigitalLink);
    link.and_then(|link| urn(link, prefix_length))
        .map_err(|fault| Error::new(ErrorKind::Identifier(fault)))
}

fn urn(link: Link<'_>, prefix_length: usize) -> Result<String, IdentifierFault> {
    if !(6..=12).contains(&prefix_length) {
        return Err(IdentifierFault::CompanyPrefixLength {
            found: prefix_length,
        });
    }
    let serial = link.qualifier.map(|(_, value)| value);
    match link.key {
        "01" => {
            let gtin = format!("{:0>14}", link.value);
            let body = leading_digit_last(&checked(&gtin)?, prefix_length)?;
            Ok(match link.qualifier {
                Some(("21", serial)) => instance("sgtin", &body, serial),
                Some(("235", serial)) => instance("upui", &body, serial),
                Some((_, lot)) => format!("urn:epc:class:lgtin:{body}.{}", escaped(lot)),
                None => format!("urn:epc:idpat:sgtin:{body}.*"),
            })
        }
        "8006" => {
            let (gtin, rest) = split(link.value, 14)?;
            let (piece, total) = split(rest, 2)?;
            let body = leading_digit_last(&checked(gtin)?, prefix_length)?;
            let body = format!("{body}.{piece}.{total}");
            match link.qualifier {
                Some(("21", serial)) => Ok(instance("itip", &body, serial)),
                Some(_) => Err(IdentifierFault::NoUrn),
                None => Ok(format!("urn:epc:idpat:itip:{body}.*")),
            }
        }
        "00" => {
            let body = leading_digit_last(&checked(link.value)?, prefix_length)?;
            Ok(format!("urn:epc:id:sscc:{body}"))
        }
        "414" => {
            let body = divided(&checked(link.value)?, prefix_length)?;
            Ok(instance("sgln", &body, serial.unwrap_or("0")))
        }
        "417" => whole("pgln", link.value, prefix_length),
        "8018" => whole("gsrn", link.value, prefix_length),
        "8017" => whole("gsrnp", link.value, prefix_length),
        "402" => whole("gsin", link.value, prefix_length),
        "8003" => {
            let returnable = link.value.strip_prefix('0').ok_or(IdentifierFault::NoUrn)?;
            with_serial("grai", returnable, prefix_length)
        }
        "253" => with_serial("gdti", link.value, prefix_length),
        "255" => with_serial("sgcn", link.value, prefix_length),
        "8004" => free("giai", link.value, prefix_length),
        "401" => free("ginc", link.value, prefix_length),
        _ => {
            let body = free_body(link.value, prefix_length)?;
            Ok(match serial {
                Some(serial) => instance("cpi", &body, serial),
                None => format!("urn:epc:idpat:cpi:{body}.*"),
            })
        }
    }
}

fn instance(scheme: &str, body: &str, serial: &str) -> String {
    format!("urn:epc:id:{scheme}:{body}.{}", escaped(serial))
}

/// A key of digits without a serial.
fn whole(scheme: &str, value: &str, prefix_length: usize) -> Result<String, IdentifierFault> {
    let body = divided(&checked(value)?, prefix_length)?;
    Ok(format!("urn:epc:id:{scheme}:{body}"))
}

/// A key of 13 digits with its serial right behind.
fn with_serial(scheme: &str, value: &str, prefix_length: usize) -> Result<String, IdentifierFault> {
    let (key, serial) = split(value, 13)?;
    let body = divided(&checked(key)?, prefix_length)?;
    Ok(match serial {
        "" => format!("urn:epc:idpat:{scheme}:{body}.*"),
        serial => instance(scheme, &body, serial),
    })
}

/// A key that is the company prefix and free text.
fn free(scheme: &str, value: &str, prefix_length: usize) -> Result<String, IdentifierFault> {
    Ok(format!(
        "urn:epc:id:{scheme}:{}",
        free_body(value, prefix_length)?
    ))
}

fn free_body(value: &str, prefix_length: usize) -> Result<String, IdentifierFault> {
    let (prefix, text) = split(value, prefix_length)?;
    if text.is_empty() || !super::is_digits(prefix) {
        return Err(IdentifierFault::CompanyPrefixLength {
            found: prefix_length,
        });
    }
    Ok(format!("{prefix}.{}", escaped(text)))
}

/// The digits without their check digit, if that is right.
fn checked(digits: &str) -> Result<String, IdentifierFault> {
    let (body, found) = split(digits, digits.len().saturating_sub(1))?;
    let expected = char::from(check_digit(body.as_bytes()));
    match found.chars().next() {
        Some(found) if found == expected => Ok(body.to_owned()),
        Some(found) => Err(IdentifierFault::CheckDigit { expected, found }),
        None => Err(IdentifierFault::NotDigitalLink),
    }
}

/// Company prefix and reference.
fn divided(digits: &str, prefix_length: usize) -> Result<String, IdentifierFault> {
    let (prefix, reference) = split(digits, prefix_length)?;
    Ok(format!("{prefix}.{reference}"))
}

/// Company prefix and reference, the first digit (indicator, extension) moved in front of the reference.
fn leading_digit_last(digits: &str, prefix_length: usize) -> Result<String, IdentifierFault> {
    let (first, rest) = split(digits, 1)?;
    let (prefix, reference) = split(rest, prefix_length)?;
    Ok(format!("{prefix}.{first}{reference}"))
}

fn split(text: &str, at: usize) -> Result<(&str, &str), IdentifierFault> {
    text.split_at_checked(at)
        .ok_or(IdentifierFault::CompanyPrefixLength { found: at })
}

/// A serial as a URN writes it: the `&` that a path may hold is escaped.
fn escaped(serial: &str) -> String {
    serial.replace('&', "%26")
}
