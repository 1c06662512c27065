//! Putting the pieces together: `@context` is known only when everything was read.

use super::source_envelope::Hole;
use super::{Container, Job, RESULTS_TEXTS, Root};
use crate::context::EPCIS_CONTEXT;
use crate::hash::HashComparison;
use crate::order::sort_stably_by;
use crate::translate::places::{KeptPlaces, Places};
use crate::translate::report::FidelityReport;
use crate::translate::standard_header::{HEADER_MEMBERS, SBDH_MEMBER};
use crate::translate::write::push_string;
use crate::translate::xml_tree::{XmlTree, push_text};

/// What is left of a job.
pub(in crate::translate) struct Done {
    pub(in crate::translate) document: String,
    pub(in crate::translate) version: &'static str,
    pub(in crate::translate) metered: usize,
    pub(in crate::translate) report: FidelityReport,
}

impl<'x> Job<'x> {
    pub(in crate::translate) fn finish(mut self) -> (Done, KeptPlaces) {
        // What events were compared with is not needed any more, and may be as large as what is put together now.
        self.hash_comparison = HashComparison::new(self.text);
        self.tree = XmlTree::default();
        self.held.spare = XmlTree::default();
        let mut head = self.context_head();
        let mut document = std::mem::take(&mut self.held.events.text);
        let mut holes = Vec::new();
        if matches!(self.held.root, Root::Event(_)) {
            // The event is an object already: its brace gives way to the context. In sections it was taken out before.
            self.measure_envelope(&format!("{head}}}"), &[]);
            if !document.is_empty() {
                head.push(',');
                document.replace_range(..1, &head);
            }
        } else {
            let tail = self.write_envelope(&mut head, &mut holes);
            let range = head.len()..head.len() + document.len();
            holes.push(Hole {
                given: self.given_length(),
                range,
                pieces: self.held.compared_events,
            });
            let answer = self.held.report.answer_length();
            if head.len() > document.len() {
                // A long header is not moved into a new text either.
                head.reserve_exact(document.len() + tail.len() + answer);
                head.push_str(&document);
                document = head;
            } else {
                document.reserve_exact(head.len() + tail.len() + answer);
                document.insert_str(0, &head);
            }
            document.push_str(&tail);
            sort_stably_by(&mut holes, &|one, other| {
                one.range.start.cmp(&other.range.start)
            });
            self.measure_envelope(&document, &holes);
        }
        self.held.report.close();
        let kept = Places::keep(
            self.held.places,
            self.held.root,
            self.held.context,
            self.held.namespaces,
        );
        let done = Done {
            document,
            version: self.held.version,
            metered: self.held.metered,
            report: self.held.report,
        };
        (done, kept)
    }

    /// The start of a document or event, with its context.
    pub(super) fn context_head(&self) -> String {
        head_of(self.held.context.declared())
    }

    /// Writes what stands before the events; gives what stands behind them.
    fn write_envelope(&mut self, head: &mut String, holes: &mut Vec<Hole>) -> String {
        let is_query = self.held.root == Root::Query;
        let of_type = if is_query {
            "EPCISQueryDocument"
        } else {
            "EPCISDocument"
        };
        push_member(head, "type", &format!("\"{of_type}\""));
        push_member(head, "schemaVersion", "\"2.0\"");
        if let Some(date) = &self.held.creation_date {
            let mut value = String::new();
            push_string(&mut value, date);
            push_member(head, "creationDate", &value);
        }
        for (member, value) in HEADER_MEMBERS.iter().zip(&self.held.standard_header) {
            if let Some(value) = value {
                push_member(head, member, value);
            }
        }
        if let Some(sbdh) = self.held.sbdh.take() {
            push_member(head, SBDH_MEMBER, "");
            push_string(head, &sbdh);
        }
        self.held.write_members(Container::Root, head);
        let vocabularies = std::mem::take(&mut self.held.vocabularies.text);
        let vocabularies = vocabularies.as_str();
        let mut lists = std::mem::take(&mut self.held.element_lists);
        let mut push_vocabularies = |head: &mut String| {
            head.push_str("\"vocabularyList\":[");
            for list in &mut lists {
                list.range.start += head.len();
                list.range.end += head.len();
            }
            holes.append(&mut lists);
            push_text(head, vocabularies);
            push_text(head, "]");
        };
        let mut members = String::new();
        self.held.write_members(Container::Header, &mut members);
        let has_vocabularies = self.held.has_entered(Container::VocabularyList);
        let has_master_data = has_vocabularies && !is_query;
        if has_master_data || !members.is_empty() {
            head.push_str(",\"epcisHeader\":{");
            if has_master_data {
                head.push_str("\"epcisMasterData\":{");
                push_vocabularies(head);
                head.push('}');
                head.push_str(&members);
            } else {
                head.push_str(members.trim_start_matches(','));
            }
            head.push('}');
        }
        let mut tail = String::from("]");
        head.push_str(",\"epcisBody\":{");
        if is_query {
            head.push_str("\"queryResults\":{");
            for (member, value) in RESULTS_TEXTS.iter().zip(&self.held.results) {
                if let Some(value) = value {
                    head.push_str(&format!("\"{member}\":{value},"));
                }
            }
            head.push_str("\"resultsBody\":{");
            if has_vocabularies {
                push_vocabularies(head);
                head.push(',');
            }
            tail.push('}');
            self.held
                .write_members(Container::QueryResultsExtension, &mut tail);
            tail.push('}');
        }
        head.push_str("\"eventList\":[");
        self.held.write_members(Container::Body, &mut tail);
        tail.push_str("}}");
        tail
    }
}

fn push_member(text: &mut String, name: &str, value: &str) {
    text.push_str(",\"");
    text.push_str(name);
    text.push_str("\":");
    text.push_str(value);
}

/// The start of an object with this context behind the official one.
pub(super) fn head_of<'c>(declared: impl IntoIterator<Item = &'c (String, String)>) -> String {
    let mut head = String::from("{\"@context\":[");
    push_string(&mut head, EPCIS_CONTEXT);
    for (prefix, uri) in declared {
        head.push_str(",{");
        push_string(&mut head, prefix);
        head.push(':');
        push_string(&mut head, uri);
        head.push('}');
    }
    head.push(']');
    head
}
