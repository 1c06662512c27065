//! A witness, for tests of a log that asks one.
//!
//! **Source**: C2SP, `tlog-witness.md`.

use data_encoding::BASE64;
use epcis_edge_core::log::{
    Checkpoint, Hash, Note, SIZE_MEDIA_TYPE, Signer, VerifierKey, cosignature, empty_root,
    verify_consistency,
};
use std::cell::Cell;

/// A witness of one log, which cosigns what continues the last tree that it cosigned.
#[derive(Debug)]
pub struct Witness {
    signer: Signer,
    log: VerifierKey,
    last: Cell<(u64, Hash)>,
}

impl Witness {
    /// A witness with this key, which has cosigned nothing of the log yet.
    #[must_use]
    pub fn new(signer: Signer, log: VerifierKey) -> Self {
        let last = Cell::new((0, empty_root()));
        Self { signer, log, last }
    }

    /// Its line in a policy, with an address for requests.
    #[must_use]
    pub fn line(&self, url: &str) -> String {
        format!("witness W {} {url}\n", self.signer.key())
    }

    /// The answer to the body of `add-checkpoint`, at a time in seconds since 1970: status, media type and body.
    ///
    /// # Panics
    /// When the body is not a request with a checkpoint that the log has signed.
    pub fn answer(&self, request: &str, seconds: u64) -> (u16, String, String) {
        let (head, note) = request.split_once("\n\n").unwrap();
        let mut lines = head.lines();
        let old: u64 =
            lines.next().and_then(|line| line.strip_prefix("old ")?.parse().ok()).unwrap();
        let proof: Vec<Hash> =
            lines.map(|line| BASE64.decode(line.as_bytes()).unwrap().try_into().unwrap()).collect();
        let note = Note::read(note).unwrap();
        assert!(note.is_signed_by(&self.log).unwrap());
        let new = Checkpoint::read(note.text()).unwrap();
        let (size, root) = self.last.get();
        if old != size || (new.size == size && new.root != root) {
            return (409, SIZE_MEDIA_TYPE.to_owned(), format!("{size}\n"));
        }
        if verify_consistency(size, &root, new.size, &new.root, &proof).is_err() {
            return (422, "text/plain".to_owned(), String::new());
        }
        self.last.set((new.size, new.root));
        let line = cosignature(note.text(), seconds, &self.signer);
        (200, "text/plain".to_owned(), line)
    }
}
