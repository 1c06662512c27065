//! Stores the documents as they were received, under their SHA-256: in KV, or in an R2 bucket if `DOCUMENTS` is `r2`.

use crate::database::unavailable;
use async_trait::async_trait;
use data_encoding::HEXLOWER;
use epcis_edge_core::error::Error;
use epcis_edge_core::store::{DocumentDigest, Documents};
use epcis_edge_sql::store::{Copies, fault};
use worker::js_sys::{Object, Promise, Reflect, Uint8Array};
use worker::wasm_bindgen::{JsCast as _, JsValue};
use worker::wasm_bindgen_futures::JsFuture;
use worker::worker_sys::R2Bucket;
use worker::{Bucket, Env, KvStore};

/// The variable that selects KV or R2.
const CHOICE: &str = "DOCUMENTS";

/// The binding of the KV namespace. It is always needed, since it also holds the copy of the log's head.
const NAMESPACE: &str = "DOCUMENTS_KV";

/// The binding of the R2 bucket.
const BUCKET: &str = "DOCUMENTS_BUCKET";

/// KV and R2: one is selected for new documents, the other may have older ones.
#[derive(Clone, Debug)]
pub(crate) struct DocumentStore {
    namespace: KvStore,
    /// `None` if the deployment has no bucket.
    bucket: Option<Bucket>,
    chosen: Backend,
}

/// A place for documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Kv,
    R2,
}

impl Backend {
    /// The other one.
    fn other(self) -> Self {
        match self {
            Self::Kv => Self::R2,
            Self::R2 => Self::Kv,
        }
    }

    /// Its name in the log.
    fn name(self) -> &'static str {
        match self {
            Self::Kv => "KV",
            Self::R2 => "R2",
        }
    }
}

impl DocumentStore {
    /// The store over the bindings `DOCUMENTS_KV` and `DOCUMENTS_BUCKET`; the variable `DOCUMENTS` selects one of them.
    ///
    /// # Errors
    /// A missing binding, or an unknown value of the variable; the message names it.
    pub(crate) fn of(env: &Env) -> worker::Result<Self> {
        let choice = env.var(CHOICE).map(|value| value.to_string());
        let chosen = match choice.as_deref() {
            Err(_) | Ok("" | "kv") => Backend::Kv,
            Ok("r2") => Backend::R2,
            Ok(_) => {
                return Err(worker::Error::RustError(format!(
                    "the variable {CHOICE} must be kv, r2 or empty"
                )));
            }
        };
        let bucket = env.bucket(BUCKET).ok();
        if chosen == Backend::R2 && bucket.is_none() {
            return Err(worker::Error::RustError(format!(
                "the variable {CHOICE} is r2: the deployment must have the bucket {BUCKET}"
            )));
        }
        Ok(Self { namespace: env.kv(NAMESPACE)?, bucket, chosen })
    }

    /// The document under a digest in one place.
    async fn kept(
        &self,
        place: Backend,
        digest: &DocumentDigest,
    ) -> Result<Option<Vec<u8>>, Error> {
        match (place, &self.bucket) {
            (Backend::Kv, _) => {
                let document = self.namespace.get(&digest.to_string());
                document.bytes().await.map_err(fault)
            }
            (Backend::R2, None) => Ok(None),
            (Backend::R2, Some(bucket)) => {
                let found = bucket.get(digest.to_string()).execute().await;
                match found.map_err(of_bucket)?.as_ref().and_then(worker::Object::body) {
                    Some(body) => Ok(Some(body.bytes().await.map_err(of_bucket)?)),
                    None => Ok(None),
                }
            }
        }
    }

    async fn keep_in_namespace(&self, name: &str, document: &[u8]) -> Result<(), Error> {
        let put = self.namespace.put_bytes(name, document);
        put.map_err(fault)?.execute().await.map_err(fault)
    }

    /// Writes a document to the bucket unless the name is taken; returns whether it was written. R2 itself checks its SHA-256.
    async fn keep_in_bucket(bucket: &Bucket, name: &str, document: &[u8]) -> Result<bool, Error> {
        // `Bucket::put` would need a second copy of the document in the memory of the engine.
        let bytes = Uint8Array::new_with_length(u32::try_from(document.len()).map_err(fault)?);
        bytes.copy_from(document);
        let options = object(&[
            ("sha256", name.into()),
            ("onlyIf", object(&[("etagDoesNotMatch", "*".into())])?),
        ])?;
        let bucket: &JsValue = bucket.as_ref();
        let put = bucket.unchecked_ref::<R2Bucket>();
        let put: Result<Promise, JsValue> = put.put(name.to_owned(), bytes.into(), options);
        let put = match put {
            Ok(put) => JsFuture::from(put).await,
            Err(said) => Err(said),
        };
        let put = put.map_err(|said| of_bucket(worker::Error::from(said)))?;
        Ok(!put.is_null())
    }

    /// Checks that the object under a digest in the bucket is the document: by the SHA-256 that R2 keeps with it, or by its bytes if
    /// it was put there without one.
    async fn is_in_bucket(
        &self,
        bucket: &Bucket,
        digest: &DocumentDigest,
        document: &[u8],
    ) -> Result<(), Error> {
        let name = digest.to_string();
        let head = bucket.head(name.as_str()).await.map_err(of_bucket)?;
        let head =
            head.ok_or_else(|| fault("R2 refused a document as existing, but does not have it"))?;
        match head.checksum().sha256 {
            Some(sha256) if HEXLOWER.encode(&sha256) == name => Ok(()),
            Some(_) => Err(another(Backend::R2)),
            None if head.size() != document.len() as u64 => Err(another(Backend::R2)),
            None => match self.kept(Backend::R2, digest).await? {
                Some(kept) => same(&kept, document, Backend::R2),
                None => Err(another(Backend::R2)),
            },
        }
    }
}

#[async_trait(?Send)]
impl Documents for DocumentStore {
    /// Stores a document in the selected place. If that fails, a copy that either place already has counts as stored.
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        let name = digest.to_string();
        let kept = match (self.chosen, &self.bucket) {
            (Backend::R2, Some(bucket)) => {
                match Self::keep_in_bucket(bucket, &name, document).await {
                    Ok(true) => return Ok(()),
                    Ok(false) => return self.is_in_bucket(bucket, digest, document).await,
                    Err(error) => Err(error),
                }
            }
            _ => {
                // Written without looking first: most documents are new, and a second write stores the same bytes. KV allows one write
                // a second for a name: if it refuses for that reason, the document is there.
                self.keep_in_namespace(&name, document).await
            }
        };
        let Err(error) = kept else {
            return Ok(());
        };
        // Another request may have stored the same document meanwhile, or the other place may have an older copy.
        for place in [self.chosen, self.chosen.other()] {
            if let Ok(Some(kept)) = self.kept(place, digest).await {
                return same(&kept, document, place);
            }
        }
        Err(error)
    }

    /// The document with a digest: from the selected place, or from the other, which has documents of an earlier setting.
    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        match self.kept(self.chosen, digest).await? {
            Some(document) => Ok(Some(document)),
            None => self.kept(self.chosen.other(), digest).await,
        }
    }
}

impl Copies for DocumentStore {
    async fn copy(&self, name: &str) -> Result<Option<String>, Error> {
        self.namespace.get(name).text().await.map_err(fault)
    }

    async fn keep_copy(&self, name: &str, text: String) -> Result<(), Error> {
        let put = self.namespace.put(name, text);
        put.map_err(fault)?.execute().await.map_err(fault)
    }
}

/// Checks that the stored bytes are the document.
fn same(kept: &[u8], document: &[u8], place: Backend) -> Result<(), Error> {
    if kept == document { Ok(()) } else { Err(another(place)) }
}

fn another(place: Backend) -> Error {
    fault(format!("{} has another document under this SHA-256", place.name()))
}

/// A JavaScript object with these members.
fn object(members: &[(&str, JsValue)]) -> Result<JsValue, Error> {
    let object = Object::new();
    for (name, value) in members {
        Reflect::set(&object, &JsValue::from_str(name), value)
            .map_err(|said| fault(format!("{said:?}")))?;
    }
    Ok(object.into())
}

/// The error for a message of R2, which ends with the number of the error.
///
/// Temporary errors: service unavailable (10043), internal fault (10001), broken connection (10054), too many requests (10058), an
/// error from in front of R2, which has no number for it (0), and a message without a number, such as a lost connection. All other
/// errors are permanent, such as a missing bucket (10006).
fn of_bucket(error: impl ToString) -> Error {
    let said = error.to_string();
    let end = said.trim_end().strip_suffix(')');
    let number = end.and_then(|said| said.rsplit_once('(')?.1.parse::<u32>().ok());
    match number {
        None | Some(0 | 10_001 | 10_043 | 10_054 | 10_058) => unavailable(said),
        Some(_) => fault(said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_away_at_a_bucket_is_told_from_what_does_not() {
        for goes_away in [
            "Error: put: We encountered an internal error. Please try again. (10001)",
            "head: Service is temporarily unavailable. (10043)",
            "put: Reduce your rate of simultaneous writes. (10058)\n",
            "put: Unspecified error (0)",
            "Network connection lost.",
        ] {
            assert_eq!(of_bucket(goes_away).retry_after(), Some(5), "{goes_away}");
        }
        for stays in [
            "Error: put: The specified bucket does not exist. (10006)",
            "put: The SHA-256 checksum you specified did not match what we received. (10037)",
        ] {
            assert_eq!(of_bucket(stays).retry_after(), None, "{stays}");
        }
    }
}
