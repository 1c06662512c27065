//! The values of one call: the time, who asks, and how much may be spent on the answer.
//!
//! The shell reads the clock and the key and hands both in; the core has neither.
//! Same store, same call, same bytes out.
//!
//! Why is the shell's clock a value and its rate limiter a question?
//! The time of a call is known before it begins; whether a caller may have one more call should be asked only for what
//! costs something, so `Incoming` carries a question that the doors ask when they get there.

use crate::error::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::fmt;

/// What a keyed operation is told by its shell.
#[derive(Clone, Debug)]
pub struct Call {
    /// The time, in milliseconds since 1970-01-01T00:00:00Z.
    pub now: u64,
    /// Who asks.
    pub principal: Principal,
    /// How much may be spent.
    pub limits: Limits,
}

impl Call {
    /// A call at a time, in milliseconds since 1970-01-01T00:00:00Z, with the default limits.
    #[must_use]
    pub fn new(now: u64, principal: Principal) -> Self {
        Self {
            now,
            principal,
            limits: Limits::default(),
        }
    }
}

/// How much of a body is one unit of work, in bytes: 256 KiB.
///
/// Callers are counted in units, since requests differ in what they cost: a unit is at most about a tenth of a second of work, whatever
/// the body is made of.
pub const BYTES_A_UNIT: usize = 256 << 10;

/// How many steps of rules of one's own are one unit of work, a step being about a nanosecond.
pub const STEPS_A_UNIT: u64 = 100_000_000;

/// What a shell knows of a request that came in.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<A> {
    /// The time, in milliseconds since 1970-01-01T00:00:00Z.
    pub now: u64,
    /// Asks whether the caller may have one more unit of work; asked only for what costs something, and once for each unit of it.
    pub admit: A,
}

impl Incoming<fn() -> std::future::Ready<bool>> {
    /// A visit of somebody who may ask as often as he likes, at a time in milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn at(now: u64) -> Self {
        Self {
            now,
            admit: || std::future::ready(true),
        }
    }
}

impl<A: AsyncFn() -> bool> Incoming<A> {
    /// # Errors
    /// [`ErrorKind::TooManyRequests`] where the caller asks too often.
    pub(crate) async fn admitted(&self) -> Result<(), Error> {
        if (self.admit)().await {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::TooManyRequests))
        }
    }

    /// Asks for the other units of the work on a body of so many bytes, or a text of a message: one was admitted before it was read.
    ///
    /// # Errors
    /// As [`admitted`](Self::admitted).
    pub(crate) async fn admitted_length(&self, length: usize) -> Result<(), Error> {
        let units = length.div_ceil(BYTES_A_UNIT);
        self.admitted_units(units.saturating_sub(1) as u64).await
    }

    /// Asks for so many units, and no more once one was refused.
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

/// How much one call may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text that the events of one capture may become together, in bytes: every stored event repeats the
    /// `@context` of its document.
    pub stored_bytes: usize,
    /// How many events are looked at for one page.
    pub scanned_events: usize,
    /// How many bytes of events are looked at for one page.
    pub scanned_bytes: usize,
    /// How many bytes of events one page may have; the first event is always in it.
    pub page_bytes: usize,
    /// How many events are counted for `maxEventCount`.
    pub counted_events: u64,
}

impl Default for Limits {
    /// 32 MiB stored, 20,000 events and 64 MiB looked at, pages of 2 MiB, 10,000 events counted.
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

/// Who asks: the capture key, as far as the operations need to know it.
///
/// Every stamp and every scope comes from here, and never from what a caller writes.
#[derive(Clone, PartialEq, Eq)]
pub struct Principal {
    /// The account that warrants what is captured: a URI, stamped as `capturedBy`.
    pub account: String,
    /// The attested observer: a URI, stamped as `who`.
    pub observer: String,
    /// What the key may be used for.
    pub rights: Rights,
    /// Whose events the key may read.
    pub readable: Readable,
    /// SHA-256 of the key: it signs page tokens, so that a token serves one key alone.
    pub digest: [u8; 32],
}

impl Principal {
    /// The only user of a store that nobody else reaches, such as that of a local process: all rights, its own events.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_core::call::Principal;
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
            rights: Rights {
                capture: true,
                query: true,
            },
            readable: Readable::Accounts([account.to_owned()].into()),
            digest: [0; 32],
        }
    }

    /// # Errors
    /// [`ErrorKind::Forbidden`] where the key has no right to capture.
    pub fn require_capture(&self) -> Result<(), Error> {
        require(self.rights.capture, "capture")
    }

    /// # Errors
    /// [`ErrorKind::Forbidden`] where the key has no right to query.
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

    /// The accounts whose events are in scope, in their order; `None` where all are.
    #[must_use]
    pub fn readable_accounts(&self) -> Option<Vec<&str>> {
        match &self.readable {
            Readable::All => None,
            Readable::Accounts(accounts) => Some(accounts.iter().map(String::as_str).collect()),
        }
    }
}

/// Without the digest, which signs.
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
    if has {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::Forbidden { right }))
    }
}

/// What a key may be used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// To capture events.
    pub capture: bool,
    /// To query, trace and read events.
    pub query: bool,
}

/// Whose events a key may read.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readable {
    /// Everybody's.
    All,
    /// Those of these accounts.
    Accounts(BTreeSet<String>),
}
