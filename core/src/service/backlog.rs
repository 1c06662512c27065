//! Master data of documents that were captured before the store kept it, read from the documents as received.

use super::Service;
use crate::capture;
use crate::error::{Error, ErrorKind};
use crate::store::{MasterDataBacklog, NewElement, Store, UnreadCapture};

/// How many captures one call reads.
const CAPTURES: usize = 100;

/// What one call of [`Service::fill_master_data`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// How many captures were read; 0 if all have been.
    pub captures: usize,
    /// How many elements their documents have.
    pub elements: usize,
    /// The captures whose master data is still missing, each with the reason. They are not read again.
    pub unreadable: Vec<(UnreadCapture, Error)>,
}

impl<S: Store + MasterDataBacklog> Service<S> {
    /// Stores the master data of the next captures from before the store kept it. Call it again until it reads none.
    ///
    /// A call that is broken off does no harm: the next one continues where the last capture was marked as read.
    ///
    /// # Errors
    /// A fault of the storage; the next call continues then, too.
    pub async fn fill_master_data(&self) -> Result<Filled, Error> {
        let captures = self.store.unread_captures(CAPTURES).await?;
        let mut filled = Filled::default();
        let last = captures.len().saturating_sub(1);
        for (place, capture) in captures.into_iter().enumerate() {
            let elements = match self.elements_of(&capture).await? {
                Ok(elements) => elements,
                Err(error) => {
                    filled.unreadable.push((capture.clone(), error));
                    Vec::new()
                }
            };
            // A capture without master data is marked with the next one that has some.
            if !elements.is_empty() || place == last {
                self.store.fill(&capture, &elements).await?;
            }
            filled.captures += 1;
            filled.elements += elements.len();
        }
        Ok(filled)
    }

    /// The master data of a captured document.
    ///
    /// # Errors
    /// The outer one is a fault of the storage, the inner one of the document.
    async fn elements_of(
        &self,
        capture: &UnreadCapture,
    ) -> Result<Result<Vec<NewElement>, Error>, Error> {
        Ok(match self.store.document(&capture.document).await? {
            Some(document) => capture::master_data_of(&document),
            None => Err(Error::new(ErrorKind::Internal {
                detail: format!("the document {} is not stored", capture.document),
            })),
        })
    }
}
