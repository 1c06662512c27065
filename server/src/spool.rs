//! The statements of a capture on their way to the writer.
//!
//! Those of a long document are several times as long as the document. Only the first ones are in memory; the others are in a file
//! without a name, which is gone with its last reader, however that ends.

use epcis_edge_sql::{Statement, Value};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Error, Read, Result, Seek as _, Write as _};
use std::path::Path;
use std::sync::Arc;

/// The most bytes of statements that are in memory.
const IN_MEMORY: usize = 4 << 20;

/// Statements in their order.
#[derive(Debug)]
pub(crate) struct Spool {
    folder: Arc<Path>,
    first: Vec<Statement>,
    bytes: usize,
    others: Option<BufWriter<File>>,
}

impl Spool {
    /// One that may have its file in this folder.
    pub(crate) fn new(folder: Arc<Path>) -> Self {
        Self { folder, first: Vec::new(), bytes: 0, others: None }
    }

    /// Whether they are more than are in memory.
    pub(crate) fn is_long(&self) -> bool {
        self.others.is_some()
    }

    /// Adds a statement.
    ///
    /// # Errors
    /// A fault of the file.
    pub(crate) fn push(&mut self, statement: Statement) -> Result<()> {
        self.bytes += statement.bytes();
        if self.bytes <= IN_MEMORY {
            self.first.push(statement);
            return Ok(());
        }
        let file = match &mut self.others {
            Some(file) => file,
            none => none.insert(BufWriter::new(tempfile::tempfile_in(&self.folder)?)),
        };
        let values: Vec<Kept> = statement.values.iter().map(Kept::of).collect();
        serde_json::to_writer(&mut *file, &(&statement.text, values))?;
        file.write_all(b"\n")?;
        statement.values.iter().try_for_each(|value| match value {
            Value::Text(text) => file.write_all(text.as_bytes()),
            Value::Integer(_) => Ok(()),
        })
    }

    /// The statements, in the order in which they were added.
    ///
    /// # Errors
    /// A fault of the file, here and at each statement.
    pub(crate) fn statements(self) -> Result<impl Iterator<Item = Result<Statement>>> {
        let others = self.others.map(|file| {
            let mut file = file.into_inner().map_err(|error| error.into_error())?;
            file.rewind()?;
            Ok::<_, Error>(BufReader::new(file))
        });
        let mut others = others.transpose()?;
        let next = move || next(others.as_mut()?).transpose();
        Ok(self.first.into_iter().map(Ok).chain(std::iter::from_fn(next)))
    }
}

/// A value in the line of a statement.
#[derive(Deserialize, Serialize)]
enum Kept {
    Integer(i64),
    /// The length of a text, which follows the line.
    Text(usize),
}

impl Kept {
    fn of(value: &Value) -> Self {
        match value {
            Value::Integer(number) => Self::Integer(*number),
            Value::Text(text) => Self::Text(text.len()),
        }
    }

    fn read(self, file: &mut impl Read) -> Result<Value> {
        match self {
            Self::Integer(number) => Ok(Value::Integer(number)),
            Self::Text(length) => {
                let mut text = vec![0; length];
                file.read_exact(&mut text)?;
                String::from_utf8(text).map(Value::Text).map_err(Error::other)
            }
        }
    }
}

/// The next statement of a file, if there is one.
fn next(file: &mut BufReader<File>) -> Result<Option<Statement>> {
    let mut line = String::new();
    if file.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let (text, values): (String, Vec<Kept>) = serde_json::from_str(&line)?;
    let values: Result<_> = values.into_iter().map(|value| value.read(file)).collect();
    Ok(Some(Statement { text, values: values? }))
}
