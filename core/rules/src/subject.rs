//! The subject of a condition, and which words of `is` apply to it.

use super::asked::Asked;
use super::facts::Place;
use super::mark::{self, ExaminedAs, Marks, WordTarget};
use super::path::{Leaf, Path, RuleTarget, below_element};
use super::scope::{Joined, Subject};
use super::values::{refused, several};
use epcis_edge_document::field;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Value;
use epcis_edge_text::slice::{Known, OrEmpty};

/// The subject of a condition. To the language it is one thing, but it may stand for several fields.
pub(super) struct Subjects<'d> {
    pub(super) subject: Subject,
    /// The kind of value of each field.
    leaves: Vec<Leaf>,
    /// The fields, if the subject is the judged value.
    fields: Vec<Path>,
    /// Whether it may have several values.
    is_many: bool,
    /// Whether it is the event as a whole.
    is_event: bool,
    written: Value<'d>,
}

impl<'d> Subjects<'d> {
    /// `operator`: that of the condition. Only `is` can apply to the event as a whole.
    pub(super) fn of(
        condition: Value<'d>,
        (named, of): (Option<Value<'d>>, Option<Value<'d>>),
        at: &[RuleTarget],
        operator: &str,
        asked: &mut Asked,
    ) -> Result<Self, Error> {
        match named {
            Some(named) => Self::named((named, of), at, asked),
            None if at.is_empty() && operator == "is" => {
                Ok(Self { is_event: true, ..Self::judged(condition, at) })
            }
            None if at.is_empty() => {
                let expected =
                    "the member `value`: a rule without `at` judges the event, not one value";
                Err(refused(condition, expected))
            }
            None => Ok(Self::judged(condition, at)),
        }
    }

    fn new(subject: Subject, leaves: Vec<Leaf>, written: Value<'d>) -> Self {
        Self { subject, leaves, fields: Vec::new(), is_many: false, is_event: false, written }
    }

    fn judged(written: Value<'d>, at: &[RuleTarget]) -> Self {
        let mut fields = Vec::new();
        let mut leaves = Vec::new();
        for place in at {
            match place {
                RuleTarget::Context => leaves.push(Leaf::Value(field::ValueKind::Plain)),
                RuleTarget::MasterData(_) => leaves.push(Leaf::Open),
                RuleTarget::Field(path) | RuleTarget::Named(path) => {
                    leaves.push(path.leaf);
                    fields.push(path.clone());
                }
            }
        }
        let examined_as = leaves.first().map_or(ExaminedAs::Nothing, |leaf| leaf.examined_as());
        Self { fields, ..Self::new(Subject::Judged(examined_as), leaves, written) }
    }

    /// The other side of a comparison: a field with one value.
    pub(super) fn other(
        value: Value<'d>,
        at: &[RuleTarget],
        asked: &mut Asked,
    ) -> Result<Self, Error> {
        let other = Self::named((value, None), at, asked)?;
        if other.is_many {
            return Err(refused(value, ONE_VALUE));
        }
        Ok(other)
    }

    /// `.` is the judged value, `.name` a member in it, any other path a field of the event. A path that begins with
    /// `made`, `packed`, `put`, `shipped` or `masterData` is a value from elsewhere. It is found by the identifier at `of`, which
    /// is `.` if it is absent.
    fn named(
        (value, of): (Value<'d>, Option<Value<'d>>),
        at: &[RuleTarget],
        asked: &mut Asked,
    ) -> Result<Self, Error> {
        let Some(path) = value.as_str() else { return Err(refused(value, "a path, as a text")) };
        let first = path.split('.').next().known();
        if matches!(first, "made" | "packed" | "put" | "shipped" | "masterData") {
            return Self::joined((value, of), at, asked);
        }
        if let Some(of) = of {
            let expected =
                "no `of` here: it belongs to `made`, `packed`, `put`, `shipped` and `masterData`";
            return Err(refused(of, expected));
        }
        if path == "." && !at.is_empty() {
            return Ok(Self::judged(value, at));
        }
        let Some(inner) = path.strip_prefix('.') else { return Self::of_event(value, at, asked) };
        let mut way = None;
        let mut is_many = false;
        let mut leaves = Vec::new();
        for place in at {
            let below = match place {
                RuleTarget::Field(path) | RuleTarget::Named(path) => {
                    path.below(inner, Some(&mut asked.names))
                }
                RuleTarget::MasterData(_) => below_element(inner, &mut asked.names),
                RuleTarget::Context => None,
            };
            let Some((steps, leaf, many)) = below else {
                return Err(refused(value, "something in each value that the rule judges"));
            };
            leaves.push(leaf);
            is_many |= many;
            way = Some((steps, leaf));
        }
        let Some((steps, leaf)) = way else {
            return Err(refused(value, "a field of events: the rule has no `at`"));
        };
        let subject = Subject::Inside(steps, leaf.examined_as());
        Ok(Self { is_many, ..Self::new(subject, leaves, value) })
    }

    /// A value from another place of the document, found by an identifier.
    fn joined(
        (value, of): (Value<'d>, Option<Value<'d>>),
        at: &[RuleTarget],
        asked: &mut Asked,
    ) -> Result<Self, Error> {
        let key = match of {
            Some(of) => Self::named((of, None), at, asked)?,
            None if at.is_empty() => {
                let expected = "the member `of`: a rule without `at` judges no identifier";
                return Err(refused(value, expected));
            }
            None => Self::judged(value, at),
        };
        key.require("texts", Leaf::is_text)?;
        let path = value.as_str().or_empty();
        let place = place_elsewhere(&path, asked).ok_or_else(|| refused(value, ELSEWHERE))?;
        let joined = Joined { key: key.subject, place };
        Ok(Self::new(Subject::Joined(Box::new(joined)), vec![Leaf::Open], value))
    }

    fn of_event(value: Value<'d>, at: &[RuleTarget], asked: &mut Asked) -> Result<Self, Error> {
        if at.contains(&RuleTarget::Context) {
            return Err(refused(value, "`.`: what is judged is no part of an event"));
        }
        let (RuleTarget::Field(path) | RuleTarget::Named(path)) = place(value, asked)? else {
            return Err(refused(value, "a field of events"));
        };
        // Reading a list again for each value of another list would cost too much.
        if path.is_many && !at.is_empty() {
            return Err(refused(value, ONE_VALUE));
        }
        let (leaf, is_many) = (path.leaf, path.is_many);
        Ok(Self { is_many, ..Self::new(Subject::Event(path), vec![leaf], value) })
    }

    pub(super) fn require(&self, what: &str, test: impl Fn(Leaf) -> bool) -> Result<(), Error> {
        if !self.leaves.is_empty() && self.leaves.iter().all(|leaf| test(*leaf)) {
            Ok(())
        } else {
            Err(refused(self.written, format!("a field of {what}, for this operator")))
        }
    }
}

const ONE_VALUE: &str =
    "a field with one value: a list cannot be asked about once for every value of another one";

const ELSEWHERE: &str = "`made`, `shipped`, either with `.` and a field of that event, `packed`, `put`, `masterData.` and the type of a \
                         vocabulary, or that and an attribute";

/// The place that a path such as `made.eventTime` names, in another part of the document.
fn place_elsewhere(path: &str, asked: &mut Asked) -> Option<Place> {
    let (first, rest) =
        path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    match (first, rest) {
        ("packed", None) => {
            asked.needs.packed = true;
            Some(Place::Packed)
        }
        ("put", None) => {
            asked.needs.put = true;
            Some(Place::Put)
        }
        ("made" | "shipped", path) => {
            let path = match path {
                Some(path) => Some(Path::in_event(path, Some(&mut asked.names))?),
                None => None,
            };
            let needs = &mut asked.needs;
            if first == "made" {
                needs.made = true;
                let place = |path| Place::InMade(number_of(&mut needs.in_made, path));
                return Some(path.map_or(Place::Made, place));
            }
            (needs.shipped, needs.put) = (true, true);
            let place = |path| Place::InShipped(number_of(&mut needs.in_shipped, path));
            Some(path.map_or(Place::Shipped, place))
        }
        ("masterData", Some(rest)) => {
            let (kind, attribute) =
                rest.split_once('.').map_or((rest, None), |(kind, name)| (kind, Some(name)));
            let is_kind = kind.starts_with(|first: char| first.is_ascii_uppercase())
                && kind.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let kind =
                is_kind.then(|| number_of(&mut asked.needs.vocabularies, kind.to_owned()))?;
            let Some(attribute) = attribute else { return Some(Place::Element(kind)) };
            let attribute = asked.names.number(attribute, false)?;
            let attribute = number_of(&mut asked.needs.attributes, attribute);
            Some(Place::Attribute(kind, attribute))
        }
        _ => None,
    }
}

/// The index of an entry in a list; adds the entry if it is not there.
fn number_of<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> usize {
    if let Some(at) = list.iter().position(|known| *known == wanted) {
        return at;
    }
    list.push(wanted);
    list.len() - 1
}

/// A field of events, `@context`, a name outside of the standard, a member of the document, a vocabulary of its header.
pub(super) fn place(value: Value<'_>, asked: &mut Asked) -> Result<RuleTarget, Error> {
    let Some(path) = value.as_str() else { return Err(refused(value, "a path, as a text")) };
    if asked.is_of_document {
        let kind = path.strip_prefix("masterData.");
        let found = match kind.map(|_| place_elsewhere(&path, asked)) {
            Some(Some(Place::Element(_))) => {
                kind.map(|kind| RuleTarget::MasterData(kind.to_owned()))
            }
            Some(_) => None,
            None => Path::in_document(&path, &mut asked.names).map(RuleTarget::Named),
        };
        let expected = "a member of the document, such as `sender` or `epcisHeader.epcisMasterData`, or `masterData.` and the type of a \
                        vocabulary";
        return found.ok_or_else(|| refused(value, expected));
    }
    if path == "@context" {
        return Ok(RuleTarget::Context);
    }
    let found = Path::in_event(&path, Some(&mut asked.names));
    found
        .map(|path| match path.is_of_standard() {
            true => RuleTarget::Field(path),
            false => RuleTarget::Named(path),
        })
        .ok_or_else(|| refused(value, expected_field(asked)))
}

fn expected_field(asked: &Asked) -> String {
    let standard =
        "a field of the standard, such as `bizStep`, `readPoint.id`, `quantityList.epcClass`";
    let prefixes = asked.names.known();
    match prefixes.is_empty() {
        true => format!("{standard}, or a name whose prefix the pack binds in `namespaces`"),
        false => format!("{standard}, or a name with a prefix of the pack: {prefixes}"),
    }
}

/// The words of `is`, as bits.
pub(super) fn marks(
    operand: Value<'_>,
    of: &Subjects<'_>,
    is_certain: bool,
) -> Result<Marks, Error> {
    let found = several(operand, 64, |word| mark_of(word, of))?;
    let marks = found.into_iter().fold(0, |marks, mark| marks | mark);
    let of_document = marks & mark::OF_DOCUMENT;
    if of_document != 0 && (of_document != marks || !is_certain) {
        let expected = "what only the document tells by itself, and only in `all`";
        return Err(refused(operand, expected));
    }
    Ok(marks)
}

fn mark_of(value: Value<'_>, of: &Subjects<'_>) -> Result<Marks, Error> {
    let name = value.as_str().or_empty();
    let Some((name, bit, target)) = mark::named(&name) else {
        let known: Vec<_> = mark::words().map(|(name, ..)| name).collect();
        return Err(refused(value, format!("one of {}", known.join(", "))));
    };
    let are = |test: &dyn Fn(&Leaf) -> bool| of.leaves.iter().all(test);
    let fits = match target {
        WordTarget::Identifier => {
            are(&|leaf| matches!(leaf.examined_as(), ExaminedAs::Identifier | ExaminedAs::Open))
        }
        WordTarget::EventId => are(&|leaf| leaf.examined_as() == ExaminedAs::EventId),
        WordTarget::Number => are(&|leaf| leaf.is_number()),
        WordTarget::Word => are(&|leaf| matches!(leaf.examined_as(), ExaminedAs::Word(_))),
        WordTarget::Fields(names) => of.are_fields(names),
        WordTarget::Event => of.is_event,
    };
    let is_of_event = target == WordTarget::Event;
    if fits && of.is_event == is_of_event && (is_of_event || !of.leaves.is_empty()) {
        Ok(bit)
    } else {
        Err(refused(value, format!("`{name}` of {} alone", target.described())))
    }
}

impl Subjects<'_> {
    /// Whether the judged values are all from these fields.
    fn are_fields(&self, names: &[&str]) -> bool {
        let known = |path: &Path| names.iter().any(|name| Path::find(name).as_ref() == Some(path));
        !self.fields.is_empty()
            && self.fields.len() == self.leaves.len()
            && self.fields.iter().all(known)
    }
}
