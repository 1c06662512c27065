//! Reading a request body, up to the size that can be served.

use super::media;
use async_trait::async_trait;
use bytes::Bytes;
use epcis_edge_text::error::{Error, ErrorKind};
use http::header::CONTENT_LENGTH;
use http::request::Parts;

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyFault {
    /// The body is longer than the limit; the rest was not read.
    TooLarge,
    /// The connection ended before the body did.
    Incomplete,
    /// There is no memory for the body now; the rest was not read.
    NoMemory,
}

/// A request body that the shell reads on demand.
#[async_trait(?Send)]
pub trait Body {
    /// Reads the body to its end, or stops as soon as more than `limit` bytes have come.
    ///
    /// # Errors
    /// [`BodyFault::TooLarge`] past the limit, [`BodyFault::Incomplete`] when the end does not come,
    /// [`BodyFault::NoMemory`] if there is no room for it beside the other requests.
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault>;

    /// The next bytes that have come; `None` at the end.
    async fn chunk(&mut self) -> Option<Result<Bytes, BodyFault>>;

    /// Reads and drops the unread rest, up to `limit` bytes; returns at once if there is none.
    async fn discard(&mut self, limit: usize) {
        let mut length = 0;
        while length < limit
            && let Some(Ok(chunk)) = self.chunk().await
        {
            length += chunk.len();
        }
    }
}

/// A body that is already in memory.
#[async_trait(?Send)]
impl Body for Bytes {
    async fn read(&mut self, limit: usize) -> Result<Bytes, BodyFault> {
        if self.len() > limit { Err(BodyFault::TooLarge) } else { Ok(std::mem::take(self)) }
    }

    async fn chunk(&mut self) -> Option<Result<Bytes, BodyFault>> {
        (!self.is_empty()).then(|| Ok(std::mem::take(self)))
    }
}

/// How many bytes of an unneeded body are read and dropped.
const MAX_REST: usize = 32 << 20;

/// Reads the rest of a body before the answer is sent: if the connection is closed while a client still sends, the answer is lost.
///
/// A body announced as longer than 32 MiB is not read: its client may see the connection end.
pub(super) async fn discard(announced: Option<u64>, body: &mut dyn Body) {
    if announced.is_none_or(|length| length <= MAX_REST as u64) {
        body.discard(MAX_REST).await;
    }
}

/// The body for an endpoint that takes JSON. Checks the media type, then the announced length, then the bytes.
pub(super) async fn read_json(
    head: &Parts,
    body: &mut dyn Body,
    limit: usize,
) -> Result<Bytes, Error> {
    media::require_json(head)?;
    read(head, body, limit).await
}

/// The body for an endpoint that takes XML.
pub(super) async fn read_xml(
    head: &Parts,
    body: &mut dyn Body,
    limit: usize,
) -> Result<Bytes, Error> {
    media::require_xml(head)?;
    read(head, body, limit).await
}

/// The announced length of the body, in bytes.
pub(super) fn announced(head: &Parts) -> Option<u64> {
    let value = head.headers.get(CONTENT_LENGTH)?;
    value.to_str().ok()?.trim().parse().ok()
}

/// The body for an endpoint that has checked the media type itself.
pub(super) async fn read(head: &Parts, body: &mut dyn Body, limit: usize) -> Result<Bytes, Error> {
    let too_large = || Error::new(ErrorKind::BodyTooLarge { limit });
    if announced(head).is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    body.read(limit).await.map_err(|fault| match fault {
        BodyFault::TooLarge => too_large(),
        BodyFault::Incomplete => Error::new(ErrorKind::BodyIncomplete),
        BodyFault::NoMemory => Error::new(ErrorKind::NoMemory { seconds: 1 }),
    })
}
