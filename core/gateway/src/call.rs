//! The inputs of one call: the time, the caller, and the limits on the work for the answer.
//!
//! The shell reads the clock and the key and passes both in; the core has neither.
//! The same store and the same call give the same bytes.
//!
//! Why is the clock passed as a value, but the rate limiter as a function?
//! The time of a call is known before it begins. The rate limit should be checked only before costly work, so `Incoming` carries
//! a function that the endpoints call at that point.

use bytes::Bytes;
use epcis_edge_text::error::{Error, ErrorKind};
use futures_util::future::{FutureExt as _, LocalBoxFuture, ready};
use std::collections::BTreeSet;
use std::fmt;

/// The inputs that a shell gives to an operation that needs a key.
#[derive(Clone, Debug)]
pub struct Call {
    /// The time, in milliseconds since 1970-01-01T00:00:00Z.
    pub now: u64,
    /// The caller.
    pub principal: Principal,
    /// The limits on the work.
    pub limits: Limits,
}

impl Call {
    /// A call at a time, in milliseconds since 1970-01-01T00:00:00Z, with the default limits.
    #[must_use]
    pub fn new(now: u64, principal: Principal) -> Self {
        Self { now, principal, limits: Limits::default() }
    }
}

/// The size of one unit of work, in bytes of a body: 256 KiB.
///
/// The rate limit counts units because requests differ in cost. A unit is at most about a tenth of a second of work, whatever the
/// body contains.
pub const BYTES_A_UNIT: usize = 256 << 10;

/// How many steps of custom check rules make one unit of work. A step takes about a nanosecond.
pub const STEPS_A_UNIT: u64 = 100_000_000;

/// What a shell knows about an incoming request.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// The time, in milliseconds since 1970-01-01T00:00:00Z.
    pub now: u64,
    /// Checks the rate limit for one more unit of work; called only before costly work, once for each unit.
    pub admit: &'a dyn Fn() -> LocalBoxFuture<'a, bool>,
    /// Reads the file that describes the endpoints, made by a test; `None` if the shell has none.
    pub description: &'a dyn Fn() -> LocalBoxFuture<'a, Option<Bytes>>,
}

impl Incoming<'_> {
    /// A request without a rate limit and without files, at a time in milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn at(now: u64) -> Self {
        let (admit, description) = (&|| ready(true).boxed_local(), &|| ready(None).boxed_local());
        Self { now, admit, description }
    }

    /// # Errors
    /// [`ErrorKind::TooManyRequests`] if the caller exceeds the rate limit.
    pub(crate) async fn admitted(&self) -> Result<(), Error> {
        if (self.admit)().await { Ok(()) } else { Err(Error::new(ErrorKind::TooManyRequests)) }
    }

    /// Checks the rate limit for a body or a message of this many bytes, except its first unit, which was admitted before it was read.
    ///
    /// # Errors
    /// As [`admitted`](Self::admitted).
    pub(crate) async fn admitted_length(&self, length: usize) -> Result<(), Error> {
        let units = length.div_ceil(BYTES_A_UNIT);
        self.admitted_units(units.saturating_sub(1) as u64).await
    }

    /// Checks the rate limit for this many units; stops at the first refusal.
    ///
    /// # Errors
    /// As [`admitted`](Self::admitted).
    pub(crate) async fn admitted_units(&self, units: u64) -> Result<(), Error> {
        for _ in 0..units {
            self.admitted().await?;
        }
        Ok(())
    }
}

/// The limits on the work of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum total length of the events stored by one capture, in bytes: every stored event repeats the `@context` of its document.
    pub stored_bytes: usize,
    /// How many events are examined for one page.
    pub scanned_events: usize,
    /// How many bytes of events are examined for one page.
    pub scanned_bytes: usize,
    /// How many bytes of events one page may contain. The first event is always included.
    pub page_bytes: usize,
    /// How many events are counted at most, for `maxEventCount`.
    pub counted_events: u64,
}

impl Default for Limits {
    /// 32 MiB stored, 20,000 events and 64 MiB examined, pages of 2 MiB, 10,000 events counted.
    fn default() -> Self {
        Self {
            stored_bytes: 32 << 20,
            scanned_events: 20_000,
            scanned_bytes: 64 << 20,
            page_bytes: 2 << 20,
            counted_events: 10_000,
        }
    }
}

/// The caller: the properties of a key that operations need.
///
/// All stamps and scopes come from here, never from the content of a request.
#[derive(Clone, PartialEq, Eq)]
pub struct Principal {
    /// The account that warrants captured events: a URI, stamped as `capturedBy`.
    pub account: String,
    /// The attested observer: a URI, stamped as `who`.
    pub observer: String,
    /// What the key may be used for.
    pub rights: Rights,
    /// The accounts whose events the key may read.
    pub readable: Readable,
    /// SHA-256 of the key. It signs page tokens, so that a token is valid for one key only.
    pub digest: [u8; 32],
}

impl Principal {
    /// The only user of a private store, such as that of a local process: has all rights, reads its own events.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::call::Principal;
    /// let principal = Principal::local("https://example.com/accounts/me", "https://id.gs1.org/417/9521141000007");
    /// assert!(principal.require_capture().is_ok());
    /// assert!(principal.reads("https://example.com/accounts/me"));
    /// assert!(!principal.reads("https://example.com/accounts/other"));
    /// ```
    #[must_use]
    pub fn local(account: &str, observer: &str) -> Self {
        Self {
            account: account.to_owned(),
            observer: observer.to_owned(),
            rights: Rights { capture: true, query: true },
            readable: Readable::Accounts([account.to_owned()].into()),
            digest: [0; 32],
        }
    }

    /// # Errors
    /// [`ErrorKind::Forbidden`] if the key has no right to capture.
    pub fn require_capture(&self) -> Result<(), Error> {
        require(self.rights.capture, "capture")
    }

    /// # Errors
    /// [`ErrorKind::Forbidden`] if the key has no right to query.
    pub fn require_query(&self) -> Result<(), Error> {
        require(self.rights.query, "query")
    }

    /// Whether the events of an account are in scope.
    #[must_use]
    pub fn reads(&self, account: &str) -> bool {
        match &self.readable {
            Readable::All => true,
            Readable::Accounts(accounts) => accounts.contains(account),
        }
    }

    /// The accounts whose events are in scope, sorted; `None` if all accounts are.
    #[must_use]
    pub fn readable_accounts(&self) -> Option<Vec<&str>> {
        match &self.readable {
            Readable::All => None,
            Readable::Accounts(accounts) => Some(accounts.iter().map(String::as_str).collect()),
        }
    }
}

/// Omits the digest, which is a signing key.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Principal")
            .field("account", &self.account)
            .field("observer", &self.observer)
            .field("rights", &self.rights)
            .field("readable", &self.readable)
            .finish_non_exhaustive()
    }
}

fn require(has: bool, right: &'static str) -> Result<(), Error> {
    if has { Ok(()) } else { Err(Error::new(ErrorKind::Forbidden { right })) }
}

/// What a key may be used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// To capture events.
    pub capture: bool,
    /// To query, trace and read events.
    pub query: bool,
}

/// The accounts whose events a key may read.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readable {
    /// All accounts.
    All,
    /// These accounts.
    Accounts(BTreeSet<String>),
}
