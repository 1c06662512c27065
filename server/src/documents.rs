//! The documents as they were received: short ones in the database, long ones each a file under its SHA-256; all in PostgreSQL, which
//! several servers share. And the copy of the log's head, a file that is not set back with the database.

use crate::gateway::Data;

use async_trait::async_trait;
use data_encoding::HEXLOWER;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::{DocumentDigest, Documents};
use epcis_edge_sql::store::{Copies, fault};
use std::fs::{self, File};
use std::io::{self, ErrorKind as IoKind, Write as _};
use std::path::{Path, PathBuf};

/// The longest document that the database keeps, in bytes. A file of its own costs more than a row until about here.
const SHORT: usize = 64 << 10;

/// The documents of a server, to be shared by threads.
#[derive(Clone)]
pub(crate) struct Kept {
    path: PathBuf,
    database: Data,
}

impl Kept {
    /// Documents in a database and in a folder, which is made if it is missing.
    ///
    /// # Errors
    /// A path that cannot be written.
    pub(crate) fn open(path: &Path, database: Data) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Self { path: path.to_owned(), database })
    }

    /// Some thousands of files each, in 256 folders.
    fn place(&self, digest: &DocumentDigest) -> PathBuf {
        let name = digest.to_string();
        self.path.join(name.get(..2).unwrap_or("")).join(name)
    }

    async fn keep_file(path: PathBuf, bytes: Vec<u8>) -> Result<(), Error> {
        let written = tokio::task::spawn_blocking(move || written(&path, &bytes));
        written.await.map_err(fault)?.map_err(of_disk)
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

/// Writes a file under another name first, so that none is ever there by half, and waits until the disk has it.
fn written(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let new = path.with_extension(HEXLOWER.encode(&random));
    if !folder.exists() {
        fs::create_dir_all(folder)?;
        File::open(folder.parent().unwrap_or(folder))?.sync_all()?;
    }
    let written = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        File::open(folder)?.sync_all()
    };
    written().inspect_err(|_| drop(fs::remove_file(&new)))
}

#[async_trait(?Send)]
impl Documents for Kept {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        let bytes = document.to_owned();
        match &self.database {
            Data::Sqlite(sqlite) if bytes.len() <= SHORT => sqlite.keep(digest, bytes).await,
            Data::Sqlite(_) => Self::keep_file(self.place(digest), bytes).await,
            Data::Postgres(postgres) => postgres.keep(digest, bytes).await,
        }
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        match &self.database {
            Data::Sqlite(sqlite) => match sqlite.document(digest).await? {
                Some(short) => Ok(Some(short)),
                None => Self::file(self.place(digest)).await,
            },
            Data::Postgres(postgres) => postgres.document(digest).await,
        }
    }
}

impl Copies for Kept {
    async fn copy(&self, name: &str) -> Result<Option<String>, Error> {
        let bytes = Self::file(self.path.join(name)).await?;
        bytes.map(|bytes| String::from_utf8(bytes).map_err(fault)).transpose()
    }

    async fn keep_copy(&self, name: &str, text: String) -> Result<(), Error> {
        Self::keep_file(self.path.join(name), text.into_bytes()).await
    }
}
