//! The messages of schema errors: what was found, what was expected, and the nearest allowed word.

use super::fault::{time_fault, uri_fault};
use super::nearest::{list, meant, misspelt, nearest, suggest, with_suggestion};
use super::{EVENT_LIST, QUERY_EVENT_LIST, SchemaError};
use crate::event::{self, Fields, LISTS_OF_EPCS, LISTS_OF_QUANTITIES, SENSORS};
use crate::vocabulary::{self, Vocabulary};
use epcis_edge_schema::{Format, Id, Rule, Test};
use epcis_edge_text::error::Quoted;
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::lookalike;
use epcis_edge_text::slice::{Known, OrEmpty};
use std::fmt::Write as _;

/// The most offending names or values in one message.
const NAMED: usize = 5;

/// An error before its message is complete: several failures of one keyword at one value become one entry.
#[derive(Debug)]
pub(super) struct SchemaFinding {
    path: String,
    pub(super) keyword: &'static str,
    /// The sentence, with [`NAMES`] in place of the names.
    message: String,
    /// The names that are missing or not allowed, each with a suggestion if there is one.
    names: Vec<String>,
    names_in_all: usize,
    /// The byte offset of the fault: of the value, or of the first name in it that is not allowed.
    pub(super) offset: usize,
}

impl SchemaFinding {
    pub(super) fn new(path: String, keyword: &'static str, value: Value<'_>) -> Self {
        Self {
            path,
            keyword,
            message: String::new(),
            names: Vec::new(),
            names_in_all: 0,
            offset: value.offset(),
        }
    }

    fn name(&mut self, name: impl FnOnce() -> String) {
        self.names_in_all += 1;
        if self.names.len() < NAMED {
            self.names.push(name());
        }
    }

    /// Names the members of an object that a rule about names refuses.
    fn name_refused(&mut self, rule: &Test, object: Value<'_>, allowed: &[&str]) {
        for (text, _) in object.members() {
            let name = text.to_cow();
            if refuses(rule, name.as_bytes()) {
                if self.names_in_all == 0 {
                    self.offset = text.offset();
                }
                self.name(|| with_suggestion(&name, allowed));
            }
        }
    }

    pub(super) fn into_error(self) -> SchemaError {
        let mut message = self.message;
        if !self.names.is_empty() {
            let mut list = self.names.join(", ");
            if self.names_in_all > self.names.len() {
                let _ = write!(list, " and {} more", self.names_in_all - self.names.len());
            }
            message = message.replace(NAMES, &list);
        }
        SchemaError {
            path: self.path,
            keyword: self.keyword.to_owned(),
            message,
            line: None,
            column: None,
        }
    }
}

/// The placeholder for the list of names in an unfinished message; a character that no message has otherwise.
const NAMES: &str = "\u{1}";

/// The error for a missing `type`. Every branch of the schema would complain, so nothing else is reported.
pub(super) fn missing_type(path: String, value: Value<'_>) -> SchemaFinding {
    let mut finding = SchemaFinding::new(path, "required", value);
    if finding.path.is_empty() {
        finding.message = "`type` is missing: it says whether this is an EPCISDocument, an EPCISQueryDocument or a bare event"
            .to_owned();
        return finding;
    }
    finding.message = format!(
        "`type` is missing: it says which kind of event this is, one of {}",
        list(&vocabulary::EVENT_TYPES, "or")
    );
    if let Some(close) = misspelt(value, "type") {
        let _ = write!(finding.message, "; did you mean that by {}?", Quoted(&close));
    }
    finding
}

/// Adds the message of a failed rule to the finding for its path and keyword.
pub(super) fn note(finding: &mut SchemaFinding, rule: &Rule, instance: Value<'_>) {
    let path = finding.path.clone();
    let field = field_of(&path);
    let subject = || subject(instance, &path, &field);
    let first = finding.message.is_empty();
    match &rule.test {
        Test::Required(names) => {
            finding.message = format!("{} lacks {NAMES}", subject());
            for name in names.iter().filter(|name| instance.get(name).is_none()) {
                finding.name(|| match misspelt(instance, name) {
                    Some(found) => format!("`{name}` (did you mean that by {}?)", Quoted(&found)),
                    None => format!("`{name}`"),
                });
            }
        }
        Test::Names(names) => {
            let allowed = names.words.words;
            let what = if allowed.is_empty() { "must not have" } else { "has no field" };
            finding.message = format!(
                "{} {what} {NAMES}; names of your own need a prefix, such as `example:name`, or are URIs",
                subject()
            );
            finding.name_refused(&rule.test, instance, allowed);
        }
        Test::NoOther(allowed) => {
            finding.message = format!(
                "{} must not have {NAMES}; it may only have {}",
                subject(),
                list(allowed, "and")
            );
            finding.name_refused(&rule.test, instance, allowed);
        }
        _ if !first => {}
        Test::Type(wanted) => {
            let string = if instance.kind() == Kind::String { "the string " } else { "" };
            finding.message = format!(
                "found {string}{}, expected {}",
                found(instance),
                with_article(wanted.name())
            );
        }
        Test::OneOf(options) => finding.message = one_of(instance, options.words),
        Test::Format(format) => finding.message = bad_format(instance, *format, &field),
        Test::Pattern(pattern) => {
            let text = instance.as_str().known();
            finding.message = format!(
                "found {}, expected {}{}",
                found(instance),
                pattern_in_words(&field),
                lookalike::advice(&text, |plain| pattern.matches(plain.as_bytes()))
            );
        }
        Test::MinItems(limit) => {
            finding.message = format!("{} is empty, expected at least {limit} entry", subject());
        }
        Test::Unique => finding.message = repeated_entry(instance, &field),
        // For a value that is not an object, a list of missing fields is of no use.
        Test::AnyOf(_) if instance.kind() != Kind::Object && is_entry_of_events(&path) => {
            finding.message = format!("found {}, expected an event", found(instance));
        }
        Test::AnyOf(choice) => {
            finding.message = any_of(rule.place, choice.nodes, instance, &path);
        }
        Test::Nothing => finding.message = format!("{} is not allowed here", subject()),
    }
}

/// Whether a path leads to an entry of a list of events.
fn is_entry_of_events(path: &str) -> bool {
    let list = path.rsplit_once('/').map_or("", |(list, _)| list);
    [EVENT_LIST, QUERY_EVENT_LIST].contains(&list)
}

/// The name of the field that a path leads to; entries of a list have the name of the list.
fn field_of(path: &str) -> String {
    let is_index = |step: &&str| step.bytes().all(|byte| byte.is_ascii_digit());
    let step = path.rsplit('/').find(|step| !is_index(step)).unwrap_or("");
    step.replace("~1", "/").replace("~0", "~")
}

/// Names an array or object in a few words.
fn subject(instance: Value<'_>, path: &str, field: &str) -> String {
    let is_entry = path.ends_with(|last: char| last.is_ascii_digit()) && !path.ends_with(field);
    let is_event = field.is_empty() || (is_entry && field == "eventList");
    let name = instance.get("type").filter(|_| is_event).and_then(|name| name.as_str());
    match name {
        Some(name) => format!("the {}", cut(&name)),
        None if field.is_empty() => "the document".to_owned(),
        None if is_event => "the event".to_owned(),
        None if is_entry => format!("the entry of `{}`", cut(field)),
        None => format!("`{}`", cut(field)),
    }
}

/// A word of the document, cut like a quoted one, without the backticks.
fn cut(word: &str) -> String {
    Quoted(word).to_string().trim_matches('`').to_owned()
}

fn found(instance: Value<'_>) -> String {
    match instance.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Boolean => format!("the boolean `{}`", instance.source()),
        Kind::Number => format!("the number {}", Quoted(instance.source())),
        Kind::String => match instance.as_str().known() {
            text if text.is_empty() => "an empty string".to_owned(),
            text => Quoted(&text).to_string(),
        },
        Kind::Array => format!("an array of {}", instance.elements().count()),
        Kind::Object => "an object".to_owned(),
    }
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}

fn one_of<S: AsRef<str>>(instance: Value<'_>, options: &[S]) -> String {
    let word = instance.as_str().unwrap_or("".into());
    format!(
        "found {}, expected one of {}{}",
        found(instance),
        list(options, "or"),
        meant(&word, options)
    )
}

fn bad_format(instance: Value<'_>, format: Format, field: &str) -> String {
    let text = instance.as_str().known();
    if format == Format::DateTime {
        return format!(
            "found {}, expected a date and time with a time zone as in RFC 3339, such as `2026-03-04T11:00:30.000+01:00`{}",
            found(instance),
            time_fault(&text)
        );
    }
    if field == "type" {
        return format!(
            "found {}, which is neither an event type of EPCIS 2.0 nor the URI of another one{}",
            found(instance),
            meant(&text, &vocabulary::EVENT_TYPES)
        );
    }
    format!("found {}, expected a URI{}", found(instance), uri_fault(&text))
}

fn pattern_in_words(field: &str) -> &'static str {
    match field {
        "eventTimeZoneOffset" => {
            "an offset from `-14:00` to `+14:00`, with sign and two-digit hours and minutes, such as `+01:00`"
        }
        "uom" => {
            "a unit of measure of UN/ECE Recommendation 20, two or three capital letters or digits, such as `KGM`"
        }
        "schemaVersion" => "a version number such as `2.0`",
        "hexBinaryValue" => "hexadecimal digits",
        _ => "another form",
    }
}

fn repeated_entry(instance: Value<'_>, field: &str) -> String {
    let rule = format!("`{}` must not repeat an entry", cut(field));
    let Some((first, second)) = instance.repeated_entry() else {
        return rule;
    };
    match instance.elements().nth(first).and_then(Value::as_str) {
        Some(entry) => format!("{rule}: {} stands at {first} and at {second}", Quoted(&entry)),
        None => rule,
    }
}

/// The message of a failed `anyOf`: a word of a vocabulary, or one of the choices that the schema offers.
fn any_of(place: &str, choices: &[Id], instance: Value<'_>, path: &str) -> String {
    let field = &field_of(path);
    let definition = place.strip_prefix("/definitions/").and_then(|rest| rest.split('/').next());
    let of_definition = |known: &&&Vocabulary| Some(known.definition) == definition;
    if let Some(vocabulary) = vocabulary::ALL.iter().find(of_definition) {
        return no_word(instance, vocabulary);
    }
    let choice = match definition.unwrap_or("") {
        "ObjectEvent" => return object_event_choice(choices, instance),
        "AggregationEvent" | "AssociationEvent" => {
            "at least one child (`childEPCs` or `childQuantityList`), unless `action` is DELETE"
        }
        "TransactionEvent" => {
            "an `epcList` or a `quantityList` that is not empty, unless `action` is DELETE"
        }
        "TransformationEvent" => {
            return "the TransformationEvent needs an input list and an output list that are not empty, or a \
                    `transformationID` and one such list"
                .to_owned();
        }
        "persistentDisposition" => "`set` or `unset`",
        "@context" => {
            return format!(
                "found {}, expected a URI, an object, or an array of those without repeats",
                found(instance)
            );
        }
        "certificationInfo" => {
            return format!("found {}, expected a URI or an array of URIs", found(instance));
        }
        "attribute" => {
            return format!("found {}, expected a number, a string or an object", found(instance));
        }
        _ => {
            return format!(
                "found {}, which the schema does not allow for `{}`",
                found(instance),
                cut(field)
            );
        }
    };
    format!("{} needs {choice}{}", subject(instance, path, field), present_but_faulty(instance))
}

fn object_event_choice(choices: &[Id], event: Value<'_>) -> String {
    let speaks_of_ilmd = |id: Id| {
        let object = epcis_edge_schema::node(id).object;
        object.is_some_and(|object| object.names.contains(b"ilmd"))
    };
    if choices.iter().any(|&id| speaks_of_ilmd(id)) {
        let Some(action) = event.get("action") else {
            return "the ObjectEvent needs an `action`: ADD, OBSERVE or DELETE".to_owned();
        };
        let name = action.as_str().or_empty();
        let rule = if vocabulary::ACTIONS.contains(&name.as_ref()) {
            "`ilmd` describes items when they come into being: it goes with action ADD only"
        } else {
            "`action` must be ADD, OBSERVE or DELETE"
        };
        return format!("{rule}, found {}", found(action));
    }
    format!(
        "the ObjectEvent needs an item (`epcList`, which may be empty), a quantity (`quantityList`), or a sensor reading \
         (`sensorElementList` with a `readPoint`){}",
        present_but_faulty(event)
    )
}

/// A hint for a list that is present but was refused because of an error inside it.
fn present_but_faulty(event: Value<'_>) -> String {
    let fields = Fields::of(event);
    let mut lists = LISTS_OF_EPCS.into_iter().chain(LISTS_OF_QUANTITIES).chain([SENSORS]);
    let present = lists.find(|list| {
        let value = fields.get(*list);
        value.is_some_and(|value| value.kind() != Kind::Array || value.elements().next().is_some())
    });
    match present.map(event::name) {
        Some(list) => format!("; `{list}` has errors; fix those first"),
        None => String::new(),
    }
}

/// Whether a rule about names refuses this name.
pub(super) fn refuses(test: &Test, name: &[u8]) -> bool {
    match test {
        Test::Names(names) => {
            let is_uri = || names.uris && epcis_edge_schema::is_uri(name);
            !(names.words.contains(name) || is_uri())
        }
        Test::NoOther(names) => !names.iter().any(|known| known.as_bytes() == name),
        _ => false,
    }
}

/// The advice for a value that should come from a vocabulary.
const ADVICE: &str = "use a CBV value or a full URI";

/// The message for a value that is neither a word of its vocabulary nor an acceptable URI.
fn no_word(instance: Value<'_>, vocabulary: &Vocabulary) -> String {
    let not_standard = |hint: &str| {
        format!(
            "found {}, which is not a standard {}; {ADVICE}{hint}",
            found(instance),
            vocabulary.name
        )
    };
    let Some(text) = instance.as_str() else {
        return not_standard("");
    };
    // A long spelling of a CBV word: the JSON binding wants the bare one.
    let draft_web = vocabulary.web.replace("//ref.", "//ns.");
    let spellings = [
        vocabulary.urn,
        vocabulary.web,
        &draft_web,
        "https://www.gs1.org/voc/",
        "http://gs1.org/voc/",
    ];
    let word = spellings
        .iter()
        .filter(|prefix| !prefix.is_empty())
        .find_map(|prefix| text.strip_prefix(prefix));
    if let Some(word) = word {
        return if vocabulary.contains(word) {
            format!("found {}, but EPCIS 2.0 JSON writes the bare word `{word}`", found(instance))
        } else {
            let suggestion = nearest(word, vocabulary.words).map(suggest).or_empty();
            format!(
                "found {}, but {} is not a CBV 2.0 value{suggestion}; {ADVICE}",
                found(instance),
                Quoted(word)
            )
        };
    }
    if nearest(&text, vocabulary.words).is_some() {
        return not_standard(&meant(&text, vocabulary.words));
    }
    // A word that belongs to another field.
    let other =
        vocabulary::ALL.iter().find(|other| other.contains(&text) && other.name != vocabulary.name);
    let hint = match other {
        Some(other) => format!("; {} is a {}", Quoted(&text), other.name),
        None => uri_hint(&text),
    };
    not_standard(&hint)
}

fn uri_hint(text: &str) -> String {
    if text.contains(':') { uri_fault(text) } else { lookalike::note(text) }
}
