//! Streams for JavaScript: chunks in, complete events or verdicts out. `wasm/js` turns them into web streams.

use crate::error::{self, Thrown};
use crate::translate::with_facts;
use crate::{input, object, to_plain, validator};
use epcis_edge_core::service::{InvalidTranslation, TranslationFacts};
use epcis_edge_core::translate::{
    StreamedEvent, StreamedTranslation, StreamedXml, TranslationStream, XmlEvents, XmlStream,
    XmlVersion,
};
use epcis_edge_core::validate::VerdictStream;
use js_sys::{Array, JSON, Object, Uint8Array};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Validates a JSON document chunk by chunk.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug, Default)]
pub struct Judging {
    stream: VerdictStream,
}

#[wasm_bindgen]
impl Judging {
    /// A stream that has read nothing yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes, or the next part of the text.
    ///
    /// # Errors
    /// Throws an `Error` with a `problem` member if the document is not JSON or too long.
    pub fn push(&mut self, chunk: &JsValue) -> Result<(), Thrown> {
        let bytes = input::bytes(chunk)?;
        Ok(self.stream.push(&bytes, validator())?)
    }

    /// The errors of the whole document; `undefined` if it is valid.
    ///
    /// # Errors
    /// Throws an `Error` with a `problem` member if the document is not JSON.
    pub fn finish(self) -> Result<JsValue, Thrown> {
        let verdict = self.stream.finish(validator())?;
        if verdict.valid { Ok(JsValue::UNDEFINED) } else { to_plain(&verdict.errors) }
    }
}

/// Translates a JSON document to XML and reads it twice: first for the parts around its events, then for the events.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct WritingXml {
    reading: Option<XmlStream>,
    writing: Option<XmlEvents>,
}

#[wasm_bindgen]
impl WritingXml {
    /// A stream that has read nothing yet, for XML of version `2.0` or `1.2`.
    ///
    /// # Errors
    /// Throws an unknown version as an `Error` with a `problem` member.
    #[wasm_bindgen(constructor)]
    pub fn new(version: Option<String>) -> Result<Self, Thrown> {
        let version = XmlVersion::named(version.as_deref())?;
        Ok(Self { reading: Some(XmlStream::new(version)), writing: None })
    }

    /// Reads the next bytes in the first pass.
    ///
    /// # Errors
    /// Throws an `Error` with a `problem` member if the document is not JSON or too long.
    pub fn look(&mut self, chunk: &[u8]) -> Result<(), Thrown> {
        let reading = self.reading.as_mut().ok_or("the first reading is over")?;
        Ok(reading.push(chunk)?)
    }

    /// Ends the first pass.
    ///
    /// # Errors
    /// As [`look`](Self::look); also if the document cannot be translated.
    pub fn looked(&mut self) -> Result<(), Thrown> {
        let reading = self.reading.take().ok_or("the first reading is over")?;
        self.writing = Some(reading.finish()?);
        Ok(())
    }

    /// Reads the next bytes in the second pass. Returns the XML that is ready, or `undefined`.
    ///
    /// # Errors
    /// Throws an `Error` with a `problem` member if the document differs from that of the first pass.
    pub fn push(&mut self, chunk: &[u8]) -> Result<Option<Vec<u8>>, Thrown> {
        let writing = self.writing.as_mut().ok_or("nothing was read yet")?;
        let mut xml = String::new();
        writing.push(chunk, &mut xml)?;
        Ok((!xml.is_empty()).then(|| xml.into_bytes()))
    }

    /// Ends the document: `{xml, report, meteredEvents}`, with the rest of the XML as bytes.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn finish(&mut self) -> Result<Object, Thrown> {
        let writing = self.writing.take().ok_or("nothing was read yet")?;
        let mut xml = String::new();
        let StreamedXml { metered_events, report } = writing.finish(&mut xml)?;
        Ok(object([
            ("xml", Uint8Array::from(xml.as_bytes()).into()),
            ("report", to_plain(&report)?),
            ("meteredEvents", (metered_events as f64).into()),
        ]))
    }
}

/// Translates an XML document chunk by chunk.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug, Default)]
pub struct Translating {
    stream: TranslationStream,
}

#[wasm_bindgen]
impl Translating {
    /// A stream that has read nothing yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes, or the next part of the text: `{events, error}`.
    ///
    /// The form of the completed events depends on `form`: for `ndjson` one `Uint8Array` of lines or `undefined`, for `text` an
    /// array of strings, for `object` an array of objects. If translation fails, `error` is an `Error` with a `problem` member,
    /// and the events before the failure are returned as well.
    ///
    /// # Errors
    /// Throws only if JavaScript itself refuses a value.
    pub fn push(&mut self, chunk: &JsValue, form: &str) -> Result<Object, Thrown> {
        let mut events = Vec::new();
        let pushed = input::bytes(chunk)
            .and_then(|bytes| Ok(self.stream.push(&bytes, validator(), &mut events)?));
        let events = given(&events, form)?;
        let error = pushed.err().map_or(JsValue::UNDEFINED, JsValue::from);
        Ok(object([("events", events), ("error", error)]))
    }

    /// Ends the document: `{events, error}` as in [`push`](Self::push), or `{events, report}`.
    ///
    /// `error` is set if the document ends too early, or if the official schema does not accept it.
    ///
    /// # Errors
    /// Throws only if JavaScript itself refuses a value.
    pub fn finish(self, form: &str) -> Result<Object, Thrown> {
        let mut events = Vec::new();
        let finished = self.stream.finish(validator(), &mut events).map_err(Thrown::from);
        let finished = finished.and_then(|end| match InvalidTranslation::of_stream(&end) {
            Some(invalid) => Err(error::invalid_translation(&invalid)),
            None => report(end, form),
        });
        let events = given(&events, form)?;
        let end = match finished {
            Ok(report) => ("report", report.into()),
            Err(error) => ("error", error.into()),
        };
        Ok(object([("events", events), end]))
    }
}

/// The report at the end of a document.
fn report(end: StreamedTranslation, form: &str) -> Result<Object, Thrown> {
    let fidelity_report = match form {
        "object" => end.fidelity_report.with_numbers_as_floats(),
        _ => end.fidelity_report,
    };
    let document = end.document.as_deref().map_or(Ok(JsValue::UNDEFINED), JSON::parse)?;
    let facts = TranslationFacts {
        fidelity_report: &fidelity_report,
        metered_events: end.metered_events,
        source_schema_version: end.source_schema_version,
        source_verdict: Some(&end.source_verdict),
    };
    with_facts(document, facts)
}

/// Events in the form that the caller requested.
fn given(events: &[StreamedEvent], form: &str) -> Result<JsValue, Thrown> {
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
