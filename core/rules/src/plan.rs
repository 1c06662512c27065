//! The plan: which rules apply to which field, and the marks a value needs before any of them is evaluated.

use super::fuel::{Fuel, Work};
use super::mark::{self, ExaminedAs, Marks};
use super::pack::{Pack, Rule};
use super::path::{Leaf, Path, RuleTarget, Step};
use super::text_filter::TextFilter;
use super::{MAX_FINDINGS, document_index};
use epcis_edge_document::event::{Fields, WHOLE};
use epcis_edge_document::field::{EVENT, EventTypes, FieldSet, Word};
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::slice::OrEmpty;

/// The rules of several packs, ready to be applied.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) packs: Vec<Pack>,
    /// How many findings are listed.
    pub(super) max_findings: usize,
    /// By rule number: the pack, and the place in it.
    rules: Vec<(usize, usize)>,
    /// For each field of events, the rules that apply to it.
    nodes: Vec<Option<FieldRules>>,
    /// The rules that judge the event as a whole.
    pub(super) of_event: Vec<EventRule>,
    /// The rules that judge the texts of `@context`.
    pub(super) of_context: Vec<u16>,
    /// The rules that judge values at names outside of the standard, each with the place among its targets.
    pub(super) of_named: Vec<(u16, usize)>,
    /// The rules that apply once to the document.
    pub(super) around_events: Vec<u16>,
    /// For each field of events, and last for the event as a whole, the rules that need the whole document.
    of_document: Vec<Vec<DocumentRule>>,
    /// The number of parts of conditions that depend on the event alone.
    pub(super) once: usize,
}

#[derive(Debug)]
pub(super) struct EventRule {
    pub(super) rule: u16,
    /// The fields that an event must have for it to hold, as bits.
    pub(super) needs: FieldSet,
    /// The event types it applies to; 0 if it applies to all.
    pub(super) on: EventTypes,
    /// The value of `on & kind` for events to skip: 0, or an impossible one if the rule applies to all types.
    pub(super) skip_value: EventTypes,
    /// Whether it is of a caller's own pack.
    pub(super) is_own: bool,
}

#[derive(Debug)]
struct DocumentRule {
    rule: u16,
    marks: Marks,
}

/// The rules for a field, or for something in it.
#[derive(Debug)]
pub(super) struct FieldRules {
    /// The name of the member.
    pub(super) word: Word,
    pub(super) examined_as: ExaminedAs,
    /// The rules that hold only for values with certain marks.
    pub(super) marked: Vec<RuleCandidate>,
    /// The other rules.
    pub(super) open: Vec<RuleCandidate>,
    /// All marks that the `marked` rules need.
    pub(super) needs: Marks,
    /// Whether some rule has a [`TextFilter`].
    pub(super) has_filters: bool,
    /// Whether the values are objects, whose members are examined.
    pub(super) is_group: bool,
    /// The field of these instances or names, if they are compared across the document.
    pub(super) indexed_as: Option<u8>,
    inner: Vec<Self>,
}

/// A rule that may apply to a value, and what must hold before it is evaluated.
#[derive(Debug)]
pub(super) struct RuleCandidate {
    pub(super) rule: u16,
    /// Marks: the value must have at least one of them; 0 if the rule needs no mark.
    pub(super) marks: Marks,
    /// The fields that the event must have.
    fields: FieldSet,
    /// The members that the value must have, as bits.
    words: u128,
    pub(super) filter: TextFilter,
    /// The event types it applies to; all bits are set if it applies to any event, even one of an unknown type.
    on: EventTypes,
    /// Whether the marks alone decide.
    pub(super) is_decided: bool,
    /// Whether it is of a caller's own pack.
    pub(super) is_own: bool,
}

impl RuleCandidate {
    /// Whether the event has the fields that the rule needs, and a type that it applies to.
    pub(super) fn applies_to(&self, fields: &Fields<'_>) -> bool {
        fields.present & self.fields == self.fields
            && (self.on == EventTypes::MAX || self.on & fields.kind != 0)
    }

    /// Whether the rule may hold for an object with these members.
    pub(super) fn is_open(&self, words: u128) -> bool {
        words & self.words == self.words
    }
}

impl FieldRules {
    fn new(word: Word) -> Self {
        Self {
            word,
            examined_as: ExaminedAs::Nothing,
            marked: Vec::new(),
            open: Vec::new(),
            needs: 0,
            has_filters: false,
            is_group: true,
            indexed_as: None,
            inner: Vec::new(),
        }
    }

    /// The rules for the member with this name.
    pub(super) fn inner(&self, word: Word) -> Option<&Self> {
        self.inner.iter().find(|node| node.word == word)
    }

    /// The node of the member with this name, created if there is none.
    fn inner_made(&mut self, word: Word) -> Option<&mut Self> {
        if self.inner(word).is_none() {
            self.inner.push(Self::new(word));
        }
        self.inner.iter_mut().find(|node| node.word == word)
    }

    fn add_rule(&mut self, number: u16, rule: &Rule, pack: &Pack) {
        let marks = rule.when.needed();
        let filter = rule.when.needed_filter();
        self.needs |= marks;
        self.has_filters |= filter.is_some();
        let asked = if marks == 0 { &mut self.open } else { &mut self.marked };
        asked.push(RuleCandidate {
            rule: number,
            marks,
            fields: rule.when.needed_fields(),
            words: rule.when.needed_words(),
            filter: filter.or_empty(),
            on: if rule.on == 0 { EventTypes::MAX } else { rule.on },
            is_decided: rule.when.is_mark() && pack.judges_withdrawn,
            is_own: !pack.is_built_in,
        });
    }
}

impl Plan {
    pub(super) fn of(mut packs: Vec<Pack>) -> Self {
        let mut plan = Self {
            max_findings: MAX_FINDINGS,
            nodes: EVENT.iter().map(|_| None).collect(),
            of_document: (0..=EVENT.len()).map(|_| Vec::new()).collect(),
            ..Self::default()
        };
        for rule in packs.iter_mut().flat_map(|pack| &mut pack.rules) {
            rule.when.number_once(&mut plan.once);
        }
        for (number, pack) in packs.iter().enumerate() {
            for (place, rule) in pack.rules.iter().enumerate() {
                let id = plan.rules.len() as u16;
                plan.rules.push((number, place));
                plan.add(id, rule, pack);
            }
        }
        plan.packs = packs;
        if plan.asks_the_document() {
            plan.index_instances();
        }
        plan
    }

    fn add(&mut self, id: u16, rule: &Rule, pack: &Pack) {
        if rule.is_of_document {
            self.around_events.push(id);
            return;
        }
        let needed = rule.when.needed() & mark::OF_DOCUMENT;
        if rule.at.is_empty() && needed != 0 {
            self.add_of_document(id, needed, WHOLE);
        } else if rule.at.is_empty() {
            self.of_event.push(EventRule {
                rule: id,
                needs: rule.when.needed_fields(),
                on: rule.on,
                skip_value: if rule.on == 0 { EventTypes::MAX } else { 0 },
                is_own: !pack.is_built_in,
            });
        }
        for (place, at) in rule.at.iter().enumerate() {
            match at {
                RuleTarget::Context => self.of_context.push(id),
                RuleTarget::Named(_) | RuleTarget::MasterData(_) => self.of_named.push((id, place)),
                RuleTarget::Field(path) => {
                    if needed != 0 {
                        self.add_of_document(id, needed, path.number);
                    } else if let Some(node) = self.node_at(path) {
                        node.add_rule(id, rule, pack);
                    }
                }
            }
        }
    }

    fn add_of_document(&mut self, rule: u16, marks: Marks, field: u8) {
        if let Some(of_field) = self.of_document.get_mut(usize::from(field)) {
            of_field.push(DocumentRule { rule, marks });
        }
    }

    /// The node of a path, created if there is none.
    fn node_at(&mut self, path: &Path) -> Option<&mut FieldRules> {
        let word = EVENT.get(usize::from(path.number))?.word;
        let slot = self.nodes.get_mut(usize::from(path.number))?;
        let mut node = slot.get_or_insert_with(|| FieldRules::new(word));
        for step in &path.inner {
            let Step::Word(word) = step else { return None };
            node = node.inner_made(*word)?;
        }
        node.is_group = matches!(path.leaf, Leaf::Group(_));
        node.examined_as = path.leaf.examined_as();
        Some(node)
    }

    /// Makes sure that every instance and name is examined, for the rules that need the whole document.
    fn index_instances(&mut self) {
        for field in document_index::FIELDS {
            let name = EVENT.get(usize::from(field)).map_or("", |field| field.name);
            let path = match name {
                "errorDeclaration" => Path::find("errorDeclaration.correctiveEventIDs"),
                name => Path::find(name),
            };
            if let Some(node) = path.and_then(|path| self.node_at(&path)) {
                node.indexed_as = Some(field);
            }
        }
    }

    /// Whether some rule needs the whole document.
    pub(super) fn asks_the_document(&self) -> bool {
        self.of_document.iter().any(|of_field| !of_field.is_empty())
    }

    /// The work of comparing all events: that of the first rule of a caller's own pack that needs the whole document, and true; false
    /// if there is none.
    pub(super) fn comparing(&self) -> (Work, bool) {
        let mut rules = self.of_document.iter().flatten().map(|rule| rule.rule);
        let is_own = |rule: &u16| self.rule(*rule).is_some_and(|(pack, _)| !pack.is_built_in);
        let own = rules.find(is_own);
        own.map_or((Work::Facts(0), false), |rule| (Work::Rule(rule), true))
    }

    /// Whether some rule looks for repeated events without names.
    pub(super) fn asks_repeated_events(&self) -> bool {
        let mut rules = self.of_document(mark::REPEATED_EVENT, WHOLE);
        rules.next().is_some()
    }

    /// Whether some pack has names outside of the standard.
    pub(super) fn asks_names(&self) -> bool {
        self.packs.iter().any(|pack| !pack.names.is_empty())
    }

    /// Whether some rule needs the history of containment.
    pub(super) fn asks_history(&self) -> bool {
        let rules = self.of_document.iter().flatten();
        rules.into_iter().any(|rule| rule.marks & mark::OF_HISTORY != 0)
    }

    /// The number of the pack of a rule.
    pub(super) fn pack_of(&self, number: u16) -> usize {
        self.rules.get(usize::from(number)).map_or(usize::MAX, |(pack, _)| *pack)
    }

    /// The rules for a field.
    pub(super) fn node(&self, field: u8) -> Option<&FieldRules> {
        self.nodes.get(usize::from(field))?.as_ref()
    }

    /// The rules for a field that need one of these marks of the whole document.
    pub(super) fn of_document(&self, marks: Marks, field: u8) -> impl Iterator<Item = u16> + '_ {
        let of_field = self.of_document.get(usize::from(field));
        of_field
            .into_iter()
            .flatten()
            .filter(move |known| known.marks & marks != 0)
            .map(|known| known.rule)
    }

    /// How many rules there are.
    pub(super) fn count(&self) -> usize {
        self.rules.len()
    }

    /// The steps that the caller's own packs took so far.
    ///
    /// # Errors
    /// [`ErrorKind::PackTooCostly`] if they were not enough.
    pub(super) fn steps(&self, fuel: &Fuel) -> Result<u64, Error> {
        fuel.taken().map_err(|work| {
            Error::new(ErrorKind::PackTooCostly { limit: fuel.limit(), rule: self.name_of(work) })
        })
    }

    /// The rule that was at work, as `pack/rule`; the pack alone if the work was for all of its rules.
    fn name_of(&self, work: Work) -> String {
        let of_pack = |pack: usize| self.packs.get(pack);
        let (pack, rule) = match work {
            Work::Facts(pack) => (of_pack(pack), None),
            Work::Condition(pack, number) => {
                let pack = of_pack(pack);
                let mut rules = pack.into_iter().flat_map(|pack| &pack.rules);
                let rule = rules.find(|rule| rule.when.has_events(&|known| known == number));
                (pack, rule)
            }
            Work::Rule(number) => self.rule(number).unzip(),
        };
        let pack = pack.map_or("", Pack::name);
        rule.map_or_else(|| pack.to_owned(), |rule| format!("{pack}/{}", rule.id))
    }

    /// A rule with its pack.
    pub(super) fn rule(&self, number: u16) -> Option<(&Pack, &Rule)> {
        let (pack, place) = *self.rules.get(usize::from(number))?;
        let pack = self.packs.get(pack)?;
        Some((pack, pack.rules.get(place)?))
    }
}
