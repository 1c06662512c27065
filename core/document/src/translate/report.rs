//! The fidelity report: what a round trip does not restore, and what else is worth noting.
//!
//! Why is a fidelity report cut?
//! A document may have a loss for every few bytes, and a note is written three times in an answer.
//! A report keeps one megabyte of paths, values and sentences, whatever the length of the document. From the first note on
//! that does not fit, notes are only counted, so the list is complete up to there.
//! The count stays exact: in the header, in the note `report-cut`, and in a last entry of `lossyPaths`, `and N more`,
//! which cannot be confused with a path, since paths begin with `/`.

use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// The total length of paths, values and sentences that a report keeps, in bytes; further notes are only counted.
///
/// Fixed, not in proportion to the document: each note is written three times in an answer.
pub(super) const LIMIT: usize = 1 << 20;

/// The longest value that a note gives in full, in bytes; longer ones are cut like elements, to leave room for other notes.
const MAX_VALUE: usize = LIMIT / 4;

/// The number of characters left of a value that is cut.
pub(super) const EXCERPT: usize = 400;

/// A remark on one place of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FidelityNote"))]
pub struct Note {
    /// The place: a path into the source XML, or a JSON Pointer on the way back; `/` is the whole document.
    pub path: String,
    /// What happened at the place: one word from a fixed list.
    pub code: &'static str,
    /// The source text, if the output does not have it; elements, and texts longer than 256 KiB, are cut at 400 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The code as a sentence.
    pub text: Cow<'static, str>,
    /// What became of a value that a round trip does not restore; absent if it is restored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub became: Option<Became>,
}

/// The fate of a value on a lossy path.
///
/// **Shape**, serialised: `kept`, `annotation` or `lost`.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Became {
    /// The whole value is in the output, as an extension or in another form.
    Kept,
    /// Only a statement of the value's type is missing; the value itself is in the output.
    Annotation,
    /// The value is not in the output, or is changed.
    Lost,
}

/// The number of lossy paths, by what became of their values.
///
/// **Shape**, serialised: `kept`, `annotation`, `lost`; as a text `kept=1, annotation=66, lost=0`, a dictionary of RFC 8941.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Losses {
    /// Whole values that are in the output, as an extension or in another form.
    pub kept: usize,
    /// Values whose type is no longer stated.
    pub annotation: usize,
    /// Values that are not in the output, or are changed.
    pub lost: usize,
}

impl Losses {
    fn of(&mut self, became: Became) -> &mut usize {
        match became {
            Became::Kept => &mut self.kept,
            Became::Annotation => &mut self.annotation,
            Became::Lost => &mut self.lost,
        }
    }

    fn total(self) -> usize {
        self.kept + self.annotation + self.lost
    }

    /// The counts in a sentence.
    pub fn summary(self) -> String {
        if self.total() == 0 {
            return "nothing is lost in a round trip".to_owned();
        }
        let counted = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let lost =
            counted(self.lost, "value is lost in a round trip", "values are lost in a round trip");
        let parts = [
            lost.or_else(|| Some("no value is lost in a round trip".to_owned())),
            counted(self.kept, "value is kept, with a note", "values are kept, with a note"),
            counted(
                self.annotation,
                "annotation of a type is dropped",
                "annotations of types are dropped",
            ),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kept, annotation, lost } = self;
        write!(f, "kept={kept}, annotation={annotation}, lost={lost}")
    }
}

impl Note {
    /// Returns the note of a code at a place; `text` replaces the sentence of the code with a more specific one.
    pub(super) fn of(
        code: Code,
        path: String,
        value: Option<String>,
        text: Option<String>,
    ) -> Self {
        Self {
            path,
            code: code.word,
            value,
            text: text.map_or(Cow::Borrowed(code.text), Cow::Owned),
            became: code.became,
        }
    }

    /// Whether the path of this note is lossy.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.became.is_some()
    }
}

/// Cuts a long value to the length that notes allow.
pub(super) fn cut(mut value: String) -> String {
    if value.len() > MAX_VALUE
        && let Some((end, _)) = value.char_indices().nth(EXCERPT)
    {
        value.truncate(end);
        value.shrink_to_fit();
    }
    value
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.code, self.path, self.text)?;
        match &self.value {
            Some(value) => write!(f, " (`{value}`)"),
            None => Ok(()),
        }
    }
}

/// Whether translating back restores the source, and the paths that are not restored.
///
/// **Shape**, serialised: `roundTripClean` (boolean), `lossyPaths` (paths, each once, in document order), `notes` (one line a
/// note, `code path: text`), `noteList` (the notes with `path`, `code`, `value`, `text`, `became`), `losses` ([`Losses`]), `summary`
/// (these in a sentence).
///
/// **Limits**: a megabyte of paths, values and sentences. Further notes are counted in a last note, `report-cut`, and in a
/// last entry of the serialised `lossyPaths`. [`Self::lossy_path_count`] counts all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FidelityReport {
    notes: Vec<Note>,
    size: usize,
    /// Whether a note found no room: from there on none is kept, so the list is complete up to there.
    pub(super) is_full: bool,
    cut: usize,
    /// The lossy paths whose notes were cut.
    cut_losses: Losses,
    /// The number of cut notes about numbers that a 64-bit float does not hold.
    cut_numbers: usize,
    /// The newest lossy path, so that each is counted once.
    newest: String,
    measured: usize,
    unmeasured: usize,
}

impl FidelityReport {
    pub(super) fn push(&mut self, mut note: Note) {
        note.value = note.value.map(cut);
        let is_same =
            |other: &Note| other.is_lossy() && other.path == note.path && other.code == note.code;
        if note.is_lossy() && self.notes.iter().rev().take(64).any(is_same) {
            return;
        }
        let is_new = note.is_lossy() && self.newest != note.path;
        if is_new {
            self.newest.clone_from(&note.path);
        }
        let size = note.path.len() + note.text.len() + note.value.as_ref().map_or(0, String::len);
        if self.is_full || self.size + size > LIMIT {
            return self.leave_out(note.code, note.became.filter(|_| is_new));
        }
        self.size += size;
        self.notes.push(note);
    }

    /// The number of bytes still available for notes.
    pub(super) fn room(&self) -> usize {
        if self.is_full { 0 } else { LIMIT - self.size }
    }

    /// The approximate length of an answer beside the document, in bytes.
    pub(super) fn answer_length(&self) -> usize {
        256 + 3 * self.size + 128 * self.notes.len()
    }

    /// Counts a note that is not made because the report is full; `is_new_loss`: whether its lossy path was not counted yet.
    pub(super) fn count(&mut self, code: Code, is_new_loss: bool) {
        self.leave_out(code.word, code.became.filter(|_| is_new_loss));
    }

    fn leave_out(&mut self, code: &str, became: Option<Became>) {
        self.is_full = true;
        self.cut += 1;
        if let Some(became) = became {
            *self.cut_losses.of(became) += 1;
        }
        self.cut_numbers += usize::from(code == NUMBER_DIGITS.word);
    }

    /// Returns the report for a caller who gets the document as JavaScript values. These hold numbers as 64-bit floats, so
    /// numbers with more digits are lost.
    #[must_use]
    pub fn with_numbers_as_floats(mut self) -> Self {
        for note in &mut self.notes {
            if note.code == NUMBER_DIGITS.word {
                note.became = Some(Became::Lost);
            }
        }
        self.cut_losses.lost += std::mem::take(&mut self.cut_numbers);
        self
    }

    /// Inserts the notes on the envelope between these notes. Each comes with the number of notes before it, and is either the
    /// note itself or its code, to be counted only.
    pub(super) fn merged(
        self,
        others: impl Iterator<Item = (usize, Result<Note, (Code, bool)>)>,
    ) -> Self {
        let mut others = others.peekable();
        let mut merged =
            Self { measured: self.measured, unmeasured: self.unmeasured, ..Self::default() };
        for (number, note) in self.notes.into_iter().enumerate() {
            while let Some((_, other)) = others.next_if(|(at, _)| *at <= number) {
                merged.take(other);
            }
            merged.push(note);
        }
        merged.is_full |= self.is_full;
        merged.cut += self.cut;
        merged.cut_numbers += self.cut_numbers;
        for became in [Became::Kept, Became::Annotation, Became::Lost] {
            let mut losses = self.cut_losses;
            *merged.cut_losses.of(became) += *losses.of(became);
        }
        others.for_each(|(_, other)| merged.take(other));
        merged
    }

    fn take(&mut self, note: Result<Note, (Code, bool)>) {
        match note {
            Ok(note) => self.push(note),
            Err((code, is_new_loss)) => self.count(code, is_new_loss),
        }
    }

    /// Adds a last note with the number of notes that were left out.
    pub(super) fn close(&mut self) {
        if self.cut > 0 {
            self.notes.push(Note {
                path: "/".to_owned(),
                code: "report-cut",
                value: None,
                text: Cow::Owned(format!(
                    "{} more notes are left out, {} more lossy paths with them",
                    self.cut,
                    self.cut_losses.total()
                )),
                became: None,
            });
        }
    }

    /// Whether translating back restores the source, so that no path is lossy.
    #[must_use]
    pub fn is_round_trip_clean(&self) -> bool {
        self.lossy_path_count() == 0
    }

    /// The paths that a round trip does not restore, in document order, each once, except those that a cut report leaves out.
    pub fn lossy_paths(&self) -> impl Iterator<Item = &str> {
        let mut before = None;
        self.notes
            .iter()
            .filter(|note| note.is_lossy())
            .map(|note| note.path.as_str())
            .filter(move |path| before.replace(*path) != Some(path))
    }

    /// The number of lossy paths, including those that a cut report leaves out.
    #[must_use]
    pub fn lossy_path_count(&self) -> usize {
        self.lossy_paths().count() + self.cut_losses.total()
    }

    /// The number of lossy paths by what became of their values; each path counts once, for its worst loss.
    #[must_use]
    pub fn losses(&self) -> Losses {
        let mut losses = self.cut_losses;
        let lossy: Vec<_> =
            self.notes.iter().filter_map(|note| Some((note.path.as_str(), note.became?))).collect();
        for notes in lossy.chunk_by(|one, other| one.0 == other.0) {
            if let Some(worst) = notes.iter().map(|(_, became)| *became).max() {
                *losses.of(worst) += 1;
            }
        }
        losses
    }

    /// The counts in a sentence.
    pub(super) fn summary(&self) -> String {
        let mut summary = self.losses().summary();
        let renamed = |note: &&Note| note.code == RENAMED.word;
        match self.notes.iter().filter(renamed).count() {
            0 => {}
            1 => summary.push_str(", 1 name comes back in another spelling"),
            count => _ = write!(summary, ", {count} names come back in another spelling"),
        }
        summary
    }

    /// The number of differences that the measurement found in the whole document, whether a rule predicted them or not.
    ///
    /// A clean report has none: every measured difference is on a lossy path.
    /// The reverse need not hold: see [`Self::unmeasured_losses`].
    #[must_use]
    pub fn measured_differences(&self) -> usize {
        self.measured
    }

    /// The number of places that are lossy only by a rule, although the round trip restored them.
    ///
    /// Most are attributes beside the text of an extension: JSON does not distinguish them from elements, but the way back
    /// writes them as attributes, which is usually right.
    /// Others are unknown elements that a JSON object accepted, texts between elements whose position is lost, and repeated or
    /// unexpected elements without content.
    #[must_use]
    pub fn unmeasured_losses(&self) -> usize {
        self.unmeasured
    }

    /// The number of notes so far.
    pub(super) fn len(&self) -> usize {
        self.notes.len()
    }

    pub(super) fn add_unmeasured(&mut self, count: usize) {
        self.unmeasured += count;
    }

    pub(super) fn add_measured(&mut self, count: usize) {
        self.measured += count;
    }

    /// The notes, in document order.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

impl Serialize for FidelityReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("FidelityReport", 6)?;
        members.serialize_field("roundTripClean", &self.is_round_trip_clean())?;
        members.serialize_field("lossyPaths", &LossyPaths(self))?;
        members.serialize_field("notes", &Lines(&self.notes))?;
        members.serialize_field("noteList", &self.notes)?;
        members.serialize_field("losses", &self.losses())?;
        members.serialize_field("summary", &self.summary())?;
        members.end()
    }
}

/// What a round trip does not restore of the source: the members that a report is written with.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "FidelityReport", rename_all = "camelCase")]
#[expect(dead_code, reason = "its schema is made of it")]
struct Shown {
    /// Whether a round trip restores the whole source.
    round_trip_clean: bool,
    /// Paths into the source XML, in document order. If the report is cut, the last entry is no path but `and N more`: the header
    /// `Spine-Translation-Lossy-Paths` counts all.
    #[schemars(extend("uniqueItems" = true))]
    lossy_paths: Vec<String>,
    /// One line for each note: code, path, text.
    notes: String,
    note_list: Vec<Note>,
    /// How many lossy paths there are, by what became of their values.
    losses: Losses,
    /// The losses in a sentence.
    summary: String,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for FidelityReport {
    fn schema_name() -> Cow<'static, str> {
        Shown::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Shown::json_schema(generator)
    }
}

/// The lossy paths as serialised: if the list is cut, a last entry gives the number of the others.
pub(super) struct LossyPaths<'r>(pub(super) &'r FidelityReport);

impl Serialize for LossyPaths<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut paths = serializer.serialize_seq(None)?;
        for path in self.0.lossy_paths() {
            paths.serialize_element(path)?;
        }
        let cut = self.0.cut_losses.total();
        if cut > 0 {
            paths.serialize_element(&format_args!("and {cut} more"))?;
        }
        paths.end()
    }
}

struct Lines<'r>(&'r [Note]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, note) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            // A value may contain line ends; a note is one line.
            f.write_str(&note.to_string().replace(['\n', '\r'], " "))?;
        }
        Ok(())
    }
}

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A code of notes, as a reference: there may be one for every few bytes of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(pub(super) &'static CodeInfo);

/// The word, the sentence and the loss of a code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CodeInfo {
    pub(super) word: &'static str,
    pub(super) text: &'static str,
    pub(super) became: Option<Became>,
}

impl CodeInfo {
    /// Whether the code is a loss.
    pub(super) fn is_lossy(&self) -> bool {
        self.became.is_some()
    }
}

impl std::ops::Deref for Code {
    type Target = CodeInfo;

    fn deref(&self) -> &CodeInfo {
        self.0
    }
}

/// Defines codes, one per row: its name, what becomes of the value (`clean` if it is restored), its word, and its sentence.
macro_rules! codes {
    (@became clean) => {
        None
    };
    (@became $became:ident) => {
        Some($crate::translate::report::Became::$became)
    };
    ($($name:ident: $became:ident $word:literal, $text:literal;)*) => {
        $(pub(in crate::translate) const $name: $crate::translate::report::Code =
            $crate::translate::report::Code(&$crate::translate::report::CodeInfo {
                word: $word,
                text: $text,
                became: $crate::translate::report::codes!(@became $became),
            });)*
    };
}
pub(super) use codes;

codes! {
    ATTRIBUTE_AS_MEMBER: Kept "attribute-as-member",
        "the attribute became a member, and comes back as an element";
    ATTRIBUTE_NO_HOME: Lost "attribute-no-home", "EPCIS 2.0 JSON has no member for this attribute";
    BARE_DOCTYPE: clean "bare-doctype", "an empty document type declaration was ignored";
    BARE_WORD: Lost "bare-word-in-xml", "a bare word has no CBV meaning in XML but gains one in JSON";
    BOOLEAN_LEXICAL: clean "boolean-lexical", "a boolean written as a digit";
    CBV_NOT_IN_2_0: Lost "cbv-value-not-in-2.0",
        "CBV 2.0 does not have this word, its web URI form was written";
    CBV_UNKNOWN: clean "cbv-value-unknown", "CBV 2.0 does not have this word, it was kept as written";
    CBV_URI_FORM: clean "cbv-uri-form", "the longer form was replaced by the bare word";
    COMMENTS: clean "comments", "comments were left out";
    CURIE_PREFIX: clean "curie-prefix-unbound", "the prefix of this value is not bound in the output";
    EPCIS_NAME: Lost "epcis-name-in-extension",
        "JSON has no name in a namespace of EPCIS for an extension, the bare name was taken";
    EVENT_HASH_CHANGED: Lost "event-hash-changed",
        "the output does not have the event hash of the source, though nothing else differs";
    GS1_UNKNOWN: clean "gs1-value-unknown", "not in the list of EPCIS 2.0, written as a CURIE";
    GS1_URI_FORM: clean "gs1-uri-form", "the URI form was replaced by the bare word";
    LOCAL_EXTENSION: Kept "local-extension",
        "the element was carried under its bare name, the wrapper around it is gone";
    LOCAL_EXTENSION_NO_HOME: Lost "local-extension-no-home",
        "EPCIS 2.0 JSON has no place for an extension without a namespace";
    MASTER_DATA_DOCUMENT: Lost "master-data-document",
        "EPCIS 2.0 JSON has no master data documents, the content is in the header";
    MDA_COLON: clean "mda-namespace-with-colon",
        "the CBV master data namespace is written with a final colon";
    MEASURED_DIFFERENCE: Lost "measured-difference", "after a round trip, this differs from the source";
    MIXED_CONTENT: Kept "mixed-content", "text beside elements was joined";
    NAMESPACE_NO_DELIMITER: clean "namespace-no-delimiter",
        "a JSON-LD prefix does not expand when its namespace does not end in `/`, `#` or `:`";
    NIL_QUANTITY: clean "nil-quantity", "a nil quantity is no quantity";
    NUMBER_DIGITS: clean "number-beyond-float",
        "a 64-bit float does not hold all digits of this number: whoever reads JSON with `JSON.parse` loses some";
    NOT_A_NUMBER: Lost "not-a-number", "JSON has no number for this";
    NOT_MEASURED: Lost "not-measured",
        "this has too many elements and attributes for a round trip, so it was not verified";
    PLAIN_NAME: clean "plain-name", "names without a namespace mean nothing, or something else, to JSON-LD";
    PREFIX_RENAMED: clean "prefix-renamed", "the prefix is not usable in JSON-LD, or taken";
    PROCESSING_INSTRUCTIONS: clean "processing-instructions",
        "processing instructions were left out";
    QUALIFIED: clean "qualified-standard-element", "the schemas have this element in no namespace";
    QUANTITY_EVENT: Lost "quantity-event",
        "EPCIS 2.0 has no QuantityEvent, an ObjectEvent with a quantityList replaces it";
    QUERY_HEADER: Lost "query-header-no-home", "EPCIS 2.0 JSON has no header in query documents";
    RENAMED: clean "renamed",
        "the name comes back in another spelling, with letters beyond ASCII percent-encoded; the event hash takes both for one name";
    REPEATED_CONTAINER: Lost "repeated-container",
        "the element may occur only once; its content was joined to that of the first";
    REPEATED_ELEMENT: Lost "repeated-element", "the element may occur only once; the first one was taken";
    SBDH_NO_HOME: Kept "sbdh-no-home",
        "no EPCIS 2.0 field takes this part of the SBDH, it is kept with the whole header";
    SCHEMA_LOCATION: clean "schema-location", "schema locations are not data";
    SCHEMA_VERSION: clean "schema-version-contradiction",
        "schemaVersion is not that of the namespace; the namespace was used";
    SIBLING_ORDER: clean "sibling-order", "elements of the same name that stood apart were brought together";
    TEXT_NO_HOME: Lost "text-no-home", "text where the schemas have only elements or attributes";
    TIME_ZONE_ASSUMED: Lost "time-zone-assumed", "the schema requires a time zone; UTC was assumed";
    UNKNOWN_ELEMENT: Lost "unknown-element",
        "EPCIS does not have this element here, and JSON has no place for it";
    UNKNOWN_ELEMENT_CARRIED: Kept "unknown-element",
        "EPCIS does not have this element here; it was carried under its bare name";
    XSI_NIL: Lost "xsi-nil", "an extension element without a value became an empty string";
    XSI_TYPE: Annotation "xsi-type", "the type of an extension element was dropped, its value stays a string";
}
