//! Streams for JavaScript: chunks in, what became whole out; `wasm/js` makes web streams of them.

use crate::{error, input, service, to_plain};
use epcis_edge_core::service::InvalidTranslation;
use epcis_edge_core::translate::{StreamedEvent, TranslationStream};
use epcis_edge_core::validate::VerdictStream;
use js_sys::{Array, JSON, Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A JSON document that is judged while it comes.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug, Default)]
pub struct Judging {
    stream: VerdictStream,
}

#[wasm_bindgen]
impl Judging {
    /// A document of which nothing was seen yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes, or the next part of the text.
    ///
    /// # Errors
    /// Throws what is no JSON document, and what is too long, as an `Error` with a `problem` member; a `TypeError` for what is
    /// neither bytes nor text.
    pub fn push(&mut self, chunk: &JsValue) -> Result<(), JsValue> {
        let bytes = input::chunk(chunk)?;
        let pushed = service(|service| {
            let validator = service.validator();
            self.stream.push(&bytes, validator)
        });
        pushed.map_err(|error| error::to_js(&error))
    }

    /// The errors of the whole document, `undefined` for a valid one.
    ///
    /// # Errors
    /// Throws what is no JSON document as an `Error` with a `problem` member.
    pub fn finish(self) -> Result<JsValue, JsValue> {
        let verdict = service(|service| self.stream.finish(service.validator()))
            .map_err(|error| error::to_js(&error))?;
        if verdict.valid {
            return Ok(JsValue::UNDEFINED);
        }
        to_plain(&verdict.errors)
    }
}

/// An XML document that is translated while it comes.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug, Default)]
pub struct Translating {
    stream: TranslationStream,
    is_begun: bool,
}

#[wasm_bindgen]
impl Translating {
    /// A document of which nothing was seen yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes, or the next part of the text; gives the events that became whole, as `form` says: `ndjson` one
    /// `Uint8Array` of lines or `undefined`, `text` an array of texts, `object` an array of objects.
    ///
    /// # Errors
    /// Throws what cannot be translated as an `Error` with a `problem` member; a `TypeError` for what is neither bytes nor
    /// text.
    pub fn push(&mut self, chunk: &JsValue, form: &str) -> Result<JsValue, JsValue> {
        // Text was decoded already, whatever its declaration says.
        let bytes = if !self.is_begun && chunk.is_string() {
            input::xml(chunk)?
        } else {
            input::chunk(chunk)?
        };
        self.is_begun = true;
        let mut events = Vec::new();
        let pushed = service(|service| self.stream.push(&bytes, service.validator(), &mut events));
        pushed.map_err(|error| error::to_js(&error))?;
        given(&events, form)
    }

    /// Ends the document: `{events, report}`, the events as [`push`](Self::push) gives them.
    ///
    /// # Errors
    /// Throws what ends too early, and what the official schema does not accept, as an `Error` with a `problem` member.
    pub fn finish(self, form: &str) -> Result<JsValue, JsValue> {
        let mut events = Vec::new();
        let end = service(|service| self.stream.finish(service.validator(), &mut events))
            .map_err(|error| error::to_js(&error))?;
        if let Some(invalid) = InvalidTranslation::of_stream(&end) {
            return Err(error::invalid_translation(&invalid));
        }
        let document = match &end.document {
            Some(document) => JSON::parse(document)?,
            None => JsValue::UNDEFINED,
        };
        let report = Object::new();
        let answer = Object::new();
        // Setting a member of a fresh object cannot fail.
        for (holder, name, member) in [
            (&report, "document", document),
            (&report, "fidelityReport", to_plain(&end.fidelity_report)?),
            (&report, "meteredEvents", (end.metered_events as f64).into()),
            (
                &report,
                "sourceSchemaVersion",
                end.source_schema_version.into(),
            ),
            (&answer, "events", given(&events, form)?),
        ] {
            let _ = Reflect::set(holder, &name.into(), &member);
        }
        let _ = Reflect::set(&answer, &"report".into(), &report);
        Ok(answer.into())
    }
}

/// Events as the caller wants them.
fn given(events: &[StreamedEvent], form: &str) -> Result<JsValue, JsValue> {
    let lines = events.iter().map(StreamedEvent::line);
    Ok(match form {
        "object" => lines.map(JSON::parse).collect::<Result<Array, _>>()?.into(),
        "text" => lines.map(JsValue::from_str).collect::<Array>().into(),
        _ if events.is_empty() => JsValue::UNDEFINED,
        _ => {
            let mut bytes = Vec::new();
            for line in lines {
                bytes.extend_from_slice(line.as_bytes());
                bytes.push(b'\n');
            }
            Uint8Array::from(bytes.as_slice()).into()
        }
    })
}
