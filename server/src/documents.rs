//! The documents as they were received, each a file under its SHA-256, and the copy of the log's head.
//!
//! Files are written by one thread. What waits for it is written together, and the disk is waited for once for all of it.

use async_trait::async_trait;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{DocumentDigest, Documents};
use epcis_edge_sql::store::{Copies, fault};
use std::fs::{self, File};
use std::io::{self, ErrorKind as IoKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use tokio::sync::oneshot;

/// The most files that are written together.
const TOGETHER: usize = 64;

/// A file to be written.
struct NewFile {
    path: PathBuf,
    bytes: Vec<u8>,
    answer: oneshot::Sender<io::Result<()>>,
}

/// A folder of documents, to be shared by threads.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    writer: mpsc::Sender<NewFile>,
}

impl Folder {
    /// The folder at a path, made if it is missing.
    ///
    /// # Errors
    /// A path that cannot be written.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let folder = File::open(path)?;
        let (writer, files) = mpsc::channel();
        std::thread::Builder::new()
            .name("documents".to_owned())
            .spawn(move || write(&folder, &files))?;
        Ok(Self { path: path.to_owned(), writer })
    }

    /// Some thousands of files each, in 256 folders.
    fn place(&self, digest: &DocumentDigest) -> PathBuf {
        let name = digest.to_string();
        self.path.join(name.get(..2).unwrap_or("")).join(name)
    }

    async fn keep_file(&self, path: PathBuf, bytes: Vec<u8>) -> Result<(), Error> {
        let (answer, answered) = oneshot::channel();
        self.writer.send(NewFile { path, bytes, answer }).map_err(fault)?;
        answered.await.map_err(fault)?.map_err(of_disk)
    }

    async fn file(path: PathBuf) -> Result<Option<Vec<u8>>, Error> {
        let read = tokio::task::spawn_blocking(move || fs::read(path)).await.map_err(fault)?;
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == IoKind::NotFound => Ok(None),
            Err(error) => Err(of_disk(error)),
        }
    }
}

/// The error for a disk that does not serve.
fn of_disk(error: io::Error) -> Error {
    let detail = format!("a document: {error}");
    Error::new(ErrorKind::Unavailable { seconds: 5, detail })
}

fn write(folder: &File, files: &mpsc::Receiver<NewFile>) {
    while let Ok(first) = files.recv() {
        let waiting = std::iter::once(first).chain(files.try_iter()).take(TOGETHER);
        let written: Vec<_> = waiting
            .map(|NewFile { path, bytes, answer }| (answer, written(&path, &bytes)))
            .collect();
        let synced = rustix::fs::syncfs(folder).map_err(io::Error::from);
        for (answer, written) in written {
            let failed =
                synced.as_ref().err().map(|error| io::Error::new(error.kind(), error.to_string()));
            let _ = answer.send(written.and(failed.map_or(Ok(()), Err)));
        }
    }
}

/// Writes a file under another name first, so that none is ever there by half.
fn written(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    let made = File::create(&new).or_else(|error| match (error.kind(), path.parent()) {
        (IoKind::NotFound, Some(folder)) => {
            fs::create_dir_all(folder)?;
            File::create(&new)
        }
        _ => Err(error),
    });
    made?.write_all(bytes)?;
    fs::rename(new, path)
}

#[async_trait(?Send)]
impl Documents for Folder {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        self.keep_file(self.place(digest), document.to_owned()).await
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        Self::file(self.place(digest)).await
    }
}

impl Copies for Folder {
    async fn copy(&self, name: &str) -> Result<Option<String>, Error> {
        let bytes = Self::file(self.path.join(name)).await?;
        bytes.map(|bytes| String::from_utf8(bytes).map_err(fault)).transpose()
    }

    async fn keep_copy(&self, name: &str, text: String) -> Result<(), Error> {
        self.keep_file(self.path.join(name), text.into_bytes()).await
    }
}
