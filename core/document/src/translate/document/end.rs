//! The end of a translation: the envelope is mapped and compared, and the pieces are inserted into it.

use super::{ComparedList, Translator, head_of, note_of};
use crate::translate::findings::PieceFindings;
use crate::translate::kinds::Root;
use crate::translate::measure::{Meanings, RoundTripCheck, WrittenEnvelope, measure_envelope};
use crate::translate::places::KeptPlaces;
use crate::translate::report::{self, FidelityReport};
use crate::translate::tree::XmlTree;
use crate::translate::write::JsonWriter;
use crate::translate::xml_to_json::{EnvelopePositions, JsonListRange, Mapper};
use crate::validate::XmlVerdict;
use epcis_edge_text::error::{Error, ErrorKind, XmlFault};

/// The result of a finished translation.
pub(in crate::translate) struct FinishedTranslation {
    pub(in crate::translate) document: String,
    pub(in crate::translate) version: &'static str,
    pub(in crate::translate) metered: usize,
    pub(in crate::translate) report: FidelityReport,
    pub(in crate::translate) verdict: Option<XmlVerdict>,
    pub(in crate::translate) kept: KeptPlaces,
}

impl Translator {
    /// Ends the translation: maps the envelope, compares it, and puts everything together.
    pub(in crate::translate) fn finish(mut self) -> Result<FinishedTranslation, Error> {
        // The trees used for comparing events are not needed any more, and may be as large as the document built below.
        self.round_trip = RoundTripCheck::default();
        self.walk.tree = XmlTree::default();
        let envelope = self.envelope()?;
        self.put_together(envelope)
    }

    /// Maps the envelope. A bare event has no envelope but `@context`.
    pub(in crate::translate) fn envelope(&mut self) -> Result<Envelope, Error> {
        let mut envelope = Envelope {
            source: std::mem::take(&mut self.envelope),
            findings: PieceFindings::new(report::LIMIT),
            text: head_of(self.context.declared()),
            positions: EnvelopePositions::default(),
        };
        if !self.is_stream {
            self.compared_events.range = 0..self.events.text.len();
        }
        if !matches!(self.walk.root, Root::Event(_)) {
            let mut out = JsonWriter::new(self.vocabularies.limit);
            out.text = std::mem::take(&mut envelope.text);
            let mut mapper = Mapper {
                namespaces: &self.walk.namespaces,
                // All prefixes were assigned while the document was read.
                context: &mut self.context,
                outer: &[],
                out: &mut out,
                findings: &mut envelope.findings,
            };
            let number = |list: Option<usize>| match list {
                Some(list) => self.lists.get(list).map_or(String::new(), ComparedList::number),
                None => self.compared_events.number(),
            };
            let root = envelope.source.root();
            envelope.positions = mapper.envelope(root, self.walk.root, &number);
            if out.is_beyond_limit() {
                let fault = ErrorKind::Xml(XmlFault::Amplified(out.limit));
                return Err(Error::at(fault, self.root.clone()));
            }
            envelope.text = out.text;
        }
        envelope.text.push('}');
        Ok(envelope)
    }

    /// Compares the envelope with its source, and inserts the pieces into it.
    pub(in crate::translate) fn put_together(
        mut self,
        mut envelope: Envelope,
    ) -> Result<FinishedTranslation, Error> {
        let measured = WrittenEnvelope {
            source: &envelope.source,
            text: &envelope.text,
            joined: &envelope.positions.joined,
        };
        let meanings = Meanings::of(&self.walk, &self.context);
        let findings = &mut envelope.findings;
        measure_envelope(measured, meanings, findings, &mut self.report);
        self.document_notes();
        self.merge(&envelope.findings, &envelope.source);
        self.report.close();
        // The tree of a long header is as large as the document, and is not needed any more.
        let Envelope { text, positions: gathered, .. } = envelope;
        let document = self.with_pieces(text, &gathered.list_ranges)?;
        Ok(FinishedTranslation {
            document,
            version: self.walk.version,
            metered: self.metered,
            report: self.report,
            verdict: self.reader.verdict(),
            kept: KeptPlaces { root: self.root, kind: self.walk.root, context: self.context },
        })
    }

    /// Inserts the findings on the envelope between the notes on the pieces, in document order.
    fn merge(&mut self, findings: &PieceFindings, source: &XmlTree) {
        let pieces = std::mem::take(&mut self.report);
        let root = &self.root.path;
        let of_envelope = findings.in_order().map(|reported| {
            let at = source.element(reported.finding.element).offset();
            let note = reported.is_whole.then(|| note_of(reported.finding, source, root.clone()));
            (at, note.ok_or((reported.finding.code, reported.is_new_loss)))
        });
        self.report = pieces.merged(of_envelope);
    }

    /// Returns the document: the envelope with its pieces.
    fn with_pieces(&mut self, mut text: String, holes: &[JsonListRange]) -> Result<String, Error> {
        let cut = || Error::impossible("the envelope and its pieces do not fit together");
        let mut events = std::mem::take(&mut self.events.text);
        if let Root::Event(_) = self.walk.root {
            // The event is an object already: the envelope with `@context` replaces its opening brace.
            if !events.is_empty() {
                text.pop();
                text.push(',');
                events.replace_range(..1, &text);
            }
            return Ok(events);
        }
        // The events come after all other pieces.
        let (mut head, tail) = match holes {
            // The envelope may have a long header, which is not copied.
            [JsonListRange { range, list: None }] => {
                let tail = text.get(range.end..).ok_or_else(cut)?.to_owned();
                text.truncate(range.start);
                (text, tail)
            }
            holes => {
                let mut head = String::new();
                let mut from = 0;
                for JsonListRange { range, list } in holes {
                    head.push_str(text.get(from..range.start).ok_or_else(cut)?);
                    from = range.end;
                    if let Some(list) = list {
                        let range = self.lists.get(*list).map(|list| list.range.clone());
                        let list = range.and_then(|range| self.vocabularies.text.get(range));
                        head.push_str(list.ok_or_else(cut)?);
                    }
                }
                (head, text.get(from..).ok_or_else(cut)?.to_owned())
            }
        };
        let more = tail.len() + self.report.answer_length();
        if head.len() > events.len() {
            // A long header is not copied into a new text.
            head.reserve_exact(events.len() + more);
            head.push_str(&events);
            events = head;
        } else {
            events.reserve_exact(head.len() + more);
            events.insert_str(0, &head);
        }
        events.push_str(&tail);
        Ok(events)
    }

    /// Adds the notes that concern the whole document, which come last.
    fn document_notes(&mut self) {
        let counts = self.reader.counts;
        let mut notes = Vec::new();
        for (count, code) in [
            (counts.comments, report::COMMENTS),
            (counts.processing_instructions, report::PROCESSING_INSTRUCTIONS),
        ] {
            if count > 0 {
                notes.push((code, Some(count.to_string())));
            }
        }
        if counts.doctypes > 0 {
            notes.push((report::BARE_DOCTYPE, None));
        }
        let remarks = std::mem::take(&mut self.context.remarks);
        notes.extend(remarks.into_iter().map(|(code, value)| (code, Some(value))));
        for (code, value) in notes {
            self.note("/".to_owned(), code, value, None);
        }
    }
}

/// The mapped envelope.
pub(in crate::translate) struct Envelope {
    source: XmlTree,
    findings: PieceFindings,
    /// The JSON of the envelope, in which each list holds only the number of its pieces.
    pub(in crate::translate) text: String,
    pub(in crate::translate) positions: EnvelopePositions,
}
