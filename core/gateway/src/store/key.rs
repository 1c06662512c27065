//! Capture keys: what a caller sends, and what is stored of a key.

use crate::call::{Principal, Readable, Rights};
use crate::query::equal_in_constant_time;
use data_encoding::BASE64;
use epcis_edge_text::error::{Error, ErrorKind};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The stored part of a capture key: never the key itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// The part of the key by which it is looked up; no secret.
    pub id: String,
    /// SHA-256 of the whole key.
    pub digest: [u8; 32],
    /// The account that vouches for what is captured with it: a URI.
    pub account: String,
    /// The observer that the key attests: a URI.
    pub observer: String,
    /// What the key allows.
    pub rights: Rights,
    /// The accounts whose events it may read.
    pub readable: Readable,
    /// Whether it was revoked.
    pub revoked: bool,
}

impl Key {
    /// The principal of the caller who sent `shown`, if that is this key and it is not revoked.
    ///
    /// The comparison takes the same time wherever the keys differ.
    ///
    /// # Errors
    /// [`ErrorKind::KeyNotValid`].
    pub fn principal(self, shown: &Bearer) -> Result<Principal, Error> {
        let digest: [u8; 32] = Sha256::digest(shown.text.as_bytes()).into();
        if !equal_in_constant_time(&digest, &self.digest) || self.revoked {
            return Err(Error::new(ErrorKind::KeyNotValid));
        }
        Ok(Principal {
            account: self.account,
            observer: self.observer,
            rights: self.rights,
            readable: self.readable,
            digest,
        })
    }
}

/// Leaves out the digest, which signs page tokens.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("id", &self.id)
            .field("account", &self.account)
            .field("observer", &self.observer)
            .field("rights", &self.rights)
            .field("readable", &self.readable)
            .field("revoked", &self.revoked)
            .finish_non_exhaustive()
    }
}

/// A capture key as a caller sends it.
///
/// **Shape**: `epcis_`, 12 hexadecimal digits by which it is looked up, `_`, and the secret of 43 letters, digits, `-` and `_`.
#[derive(Clone, PartialEq, Eq)]
pub struct Bearer {
    text: String,
    id: String,
}

impl Bearer {
    /// The key in the value of an `Authorization` header.
    ///
    /// # Errors
    /// [`ErrorKind::NoKey`] if there is no header, or one of another scheme; [`ErrorKind::KeyNotValid`] if the text does not
    /// have the form of a key.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::store::Bearer;
    /// let header = format!("Bearer epcis_0123456789ab_{}", "s".repeat(43));
    /// assert_eq!(Bearer::read(Some(&header))?.id(), "0123456789ab");
    /// assert!(Bearer::read(Some("Basic dXNlcg==")).is_err());
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    ///
    /// **Source**: RFC 6750, 2.1.
    pub fn read(authorization: Option<&str>) -> Result<Self, Error> {
        let header = authorization.map_or("", str::trim);
        let (scheme, text) = header.split_once(' ').unwrap_or((header, ""));
        let text = text.trim_start();
        if !scheme.eq_ignore_ascii_case("Bearer") || text.is_empty() {
            return Err(Error::new(ErrorKind::NoKey));
        }
        Self::of(Some(text))
    }

    /// The key in the headers of the REST binding: `Authorization` with the scheme `Bearer`, or `Basic` with the key as password
    /// and any user name; `API-KEY-SECRET`.
    ///
    /// # Errors
    /// [`ErrorKind::NoKey`] if there is none of these; [`ErrorKind::KeyNotValid`] if a text does not have the form of a key, or
    /// if two keys differ.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::store::Bearer;
    /// let key = format!("epcis_0123456789ab_{}", "s".repeat(43));
    /// let shown = Bearer::shown(None, Some(&key))?;
    /// assert_eq!(shown.id(), "0123456789ab");
    /// let basic = format!("Basic {}", data_encoding::BASE64.encode(format!("any:{key}").as_bytes()));
    /// assert_eq!(Bearer::shown(Some(&basic), None)?, shown);
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    ///
    /// **Source**: RFC 6750, 2.1; RFC 7617, 2.
    pub fn shown(authorization: Option<&str>, secret: Option<&str>) -> Result<Self, Error> {
        let header = authorization.map_or("", str::trim);
        let of_header = match header.split_once(' ') {
            Some((scheme, credentials)) if scheme.eq_ignore_ascii_case("Basic") => {
                let decoded = BASE64.decode(credentials.trim_start().as_bytes());
                let text = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok());
                let password = text.as_deref().and_then(|text| text.split_once(':'));
                Some(Self::of(password.map(|(_, password)| password)))
            }
            _ if authorization.is_some() => Some(Self::read(authorization)),
            _ => None,
        };
        let of_secret = secret.map(|secret| Self::of(Some(secret.trim())));
        match (of_header, of_secret) {
            (None, None) => Err(Error::new(ErrorKind::NoKey)),
            (Some(one), None) | (None, Some(one)) => one,
            (Some(one), Some(other)) => {
                let (one, other) = (one?, other?);
                if one == other { Ok(one) } else { Err(Error::new(ErrorKind::KeyNotValid)) }
            }
        }
    }

    fn of(text: Option<&str>) -> Result<Self, Error> {
        let found = text.and_then(|text| Some((text, id_of(text)?)));
        found
            .map(|(text, id)| Self { text: text.to_owned(), id: id.to_owned() })
            .ok_or_else(|| Error::new(ErrorKind::KeyNotValid))
    }

    /// The part by which the key is looked up.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The SHA-256 of the key: see [`Key::digest`].
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }
}

/// Leaves out the secret.
impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bearer(epcis_{}_…)", self.id)
    }
}

fn id_of(text: &str) -> Option<&str> {
    let (id, secret) = text.strip_prefix("epcis_")?.split_once('_')?;
    let is_id = id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_secret = secret.len() == 43
        && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    (is_id && is_secret).then_some(id)
}
