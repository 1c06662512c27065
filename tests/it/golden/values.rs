//! Answers as texts.

use epcis_edge_core::error::{Error, Problem};
use epcis_edge_core::time::Timestamp;
use serde::Serialize;

/// The time of every call: 2026-06-01T12:00:00Z, in milliseconds.
pub(super) const NOW: u64 = 1_780_315_200_000;

/// The time that is written on reports.
pub(super) fn made() -> Timestamp {
    Timestamp::from_milliseconds(NOW)
}

/// The JSON of an answer, or the refusal with its place.
pub(super) fn text_of<T: Serialize>(answer: Result<T, Error>) -> String {
    match answer {
        Ok(answer) => json(&answer),
        Err(error) => refusal(&error),
    }
}

/// A refusal: the sentence, and the problem document.
pub(super) fn refusal(error: &Error) -> String {
    format!("refused: {error}\n{}", json(&Problem::from(error)))
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// The text of a result: of a good one the text itself.
pub(super) fn or_refusal(answer: Result<String, Error>) -> String {
    answer.unwrap_or_else(|error| refusal(&error))
}
