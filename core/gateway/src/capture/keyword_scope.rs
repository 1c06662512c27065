//! Checks the names in an event that JSON-LD readers take for keywords, and refuses keywords that no reader can expand.
//!
//! Which names are keywords depends on the place. For the values of some terms, the official context has scoped contexts, in
//! which `type` is a property, or `bizTransaction` is the identifier of a node. No event is stored that a reader cannot expand.
//!
//! Why are some valid keywords of JSON-LD refused?
//! `@graph`, `@included`, `@reverse`, `@nest` and `@index` attach a statement to a node by other means than its position in the
//! JSON; hashes and queries go by the position.
//!
//! **Source**: JSON-LD 1.1 API, 5.1.2 (expansion).

use epcis_edge_document::context::{ActiveContext, Judge, is_keyword_form, keyword_of};
use epcis_edge_text::json::{Kind, Value};

/// The keyword of findings about members that no JSON-LD reader can expand.
const RULE: &str = "jsonLd";

/// The message for a `@context` that is refused where [`KeywordScope::is_scoped`] is true.
pub(super) const SCOPED: &str = "the official context has a context of its own here, whose terms no other may change: declare terms further up";

/// The meaning of names in a part of an event, for JSON-LD readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeywordScope {
    is_event: bool,
    is_scoped: bool,
    /// Whether `type` is the keyword `@type`.
    has_type: bool,
    /// Whether `bizTransaction` is the keyword `@id`.
    has_transaction: bool,
    /// Whether the terms of sensor elements are in force.
    has_sensors: bool,
}

impl KeywordScope {
    /// The members of an event.
    pub(super) const EVENT: Self = Self {
        is_event: true,
        is_scoped: false,
        has_type: true,
        has_transaction: false,
        has_sensors: false,
    };

    pub(super) fn is_event(self) -> bool {
        self.is_event
    }

    /// Whether the official context has a scoped context here.
    pub(super) fn is_scoped(self) -> bool {
        self.is_scoped
    }

    /// The scope of the value of a member.
    pub(super) fn below(self, name: &str) -> Self {
        let inner = Self { is_event: false, ..self };
        let scoped = Self { is_scoped: true, ..inner };
        match name {
            "bizStep" | "disposition" | "persistentDisposition" | "errorDeclaration" => scoped,
            "sourceList" | "destinationList" => Self { has_type: false, ..scoped },
            "bizTransactionList" => Self { has_type: false, has_transaction: true, ..scoped },
            "sensorElementList" => Self { has_type: true, has_sensors: true, ..scoped },
            "sensorReport" if self.has_sensors => Self { has_type: false, ..scoped },
            _ => inner,
        }
    }

    fn keyword_of(self, name: &str) -> Option<&str> {
        match name {
            "type" if !self.has_type => None,
            "bizTransaction" if self.has_transaction => Some("@id"),
            _ => keyword_of(name),
        }
    }

    /// Judges the keywords among the members of an object, whose `@context` has been applied already.
    pub(super) fn judge(
        self,
        object: Value<'_>,
        context: &ActiveContext<'_>,
        judge: &mut Judge<'_>,
    ) {
        let mut seen = ObjectKeywords::default();
        for (name, value) in object.members() {
            let name = name.to_cow();
            match self.keyword_of(&name) {
                Some("@context") => {}
                Some(keyword) => seen.keyword(keyword, value),
                None => seen.has_properties = true,
            }
        }
        if seen.keywords == 0 {
            return;
        }
        let mut has_id = false;
        for (name, value) in object.members() {
            let name = name.to_cow();
            let Some(keyword) = self.keyword_of(&name).filter(|found| *found != "@context") else {
                continue;
            };
            let fault = if keyword == "@id" && std::mem::replace(&mut has_id, true) {
                Some("readers take this for the identifier of the node, which has another already")
            } else if keyword == "@id" && self.is_event && name != "eventID" {
                Some("the identifier of an event is its `eventID`")
            } else {
                seen.fault(keyword, value, context)
            };
            if let Some(fault) = fault {
                judge.below(&name, |judge| judge.refuse_by(RULE, fault));
            }
        }
    }
}

/// The keywords that an object has.
#[derive(Default)]
struct ObjectKeywords<'d> {
    keywords: usize,
    has_properties: bool,
    value: Option<Value<'d>>,
    has_list: bool,
    has_language: bool,
    kind: Option<Value<'d>>,
}

impl<'d> ObjectKeywords<'d> {
    fn keyword(&mut self, keyword: &str, value: Value<'d>) {
        self.keywords += 1;
        match keyword {
            "@value" => self.value = Some(value),
            "@list" | "@set" => self.has_list = true,
            "@language" | "@direction" => self.has_language = true,
            "@type" => self.kind = Some(value),
            _ => {}
        }
    }

    /// The fault of a keyword, if it has one.
    fn fault(
        &self,
        keyword: &str,
        value: Value<'_>,
        context: &ActiveContext<'_>,
    ) -> Option<&'static str> {
        let is_value = self.value.is_some();
        match keyword {
            "@value" => self.fault_of_value(value),
            "@list" | "@set" if self.has_properties || self.keywords > 1 => {
                Some("a list or set has no other members")
            }
            "@list" | "@set" => None,
            "@id" if is_value || self.has_list => {
                Some("a value, list or set is no node, and has no identifier")
            }
            "@id" => {
                let is_taken = value.as_str().is_some_and(|text| !is_keyword_form(&text));
                (!is_taken).then_some(
                    "readers take this for the identifier of the node: expected a string, not of `@` and letters",
                )
            }
            "@type" if self.has_list => Some("a list or set has no type"),
            "@type" if is_value => {
                let is_taken = value
                    .as_str()
                    .is_some_and(|text| text == "@json" || context.is_type_of_values(&text));
                (!is_taken).then_some("expected the IRI of a type of values, or `@json`")
            }
            "@type" => {
                let is_one =
                    |value: Value<'_>| value.as_str().is_some_and(|text| !is_keyword_form(&text));
                let is_taken = match value.kind() {
                    Kind::Array => value.elements().all(is_one),
                    _ => is_one(value),
                };
                (!is_taken).then_some(
                    "readers take this for the types of the node: expected a string, or an array of strings, not of `@` and letters",
                )
            }
            "@language" | "@direction" if !is_value => {
                Some("this says how a `@value` is written, and there is none")
            }
            "@language" if value.kind() != Kind::String => Some("expected a language"),
            "@direction" if !value.as_str().is_some_and(|text| text == "ltr" || text == "rtl") => {
                Some("expected `ltr` or `rtl`")
            }
            "@language" | "@direction" => None,
            _ => Some(
                "readers of JSON-LD take this name for a keyword that is not accepted here: expected @context, @id, @type, @value, \
                 @language, @direction, @list or @set, or a name with a prefix",
            ),
        }
    }

    fn fault_of_value(&self, value: Value<'_>) -> Option<&'static str> {
        let is_json = self.kind.and_then(Value::as_str).is_some_and(|kind| kind == "@json");
        if self.has_properties || self.has_list {
            Some("a value has no other members than `@type`, or `@language` and `@direction`")
        } else if self.has_language && self.kind.is_some() {
            Some("a value has a type, or a language and direction, and not both")
        } else if self.has_language && value.kind() != Kind::String {
            Some("a value with a language or direction must be a string")
        } else if !is_json && matches!(value.kind(), Kind::Array | Kind::Object) {
            Some("expected a string, a number, true, false or null")
        } else {
            None
        }
    }
}
