//! Reads the parameters of SimpleEventQuery, by name, into conditions.
//!
//! Why is an unknown query parameter refused?
//! Ignoring a filter makes a wide answer look like a narrow one.

mod extension;
mod master_data;
mod names;

pub use names::SERVED;
pub(crate) use names::{ANY_CLASS, ANY_EPC};

use super::matcher::{self, Level, Matcher};
use super::number::Decimal;
use super::predicate::{Comparison, Condition, ValueTest};
use super::{Field, MAX_PER_PAGE, OrderBy, Query};
use epcis_edge_document::context::ActiveContext;
use epcis_edge_document::field::{self, asked_with_type};
use epcis_edge_document::normal;
use epcis_edge_document::vocabulary::ACTIONS;
use epcis_edge_schema::has_form_of_iri;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::Known;
use epcis_edge_text::time::Timestamp;
use extension::extension_field;
use names::{number_field, text_field, time_field};

/// How many parameters a query may have.
const MAX_PARAMETERS: usize = 64;

/// How many values a query may have.
const MAX_VALUES: usize = 1000;

pub(super) fn read(parameters: Value<'_>) -> Result<Query, Error> {
    if parameters.kind() != Kind::Object {
        return Err(Error::new(ErrorKind::QueryNotObject));
    }
    if let Some(name) = parameters.repeated_name() {
        let name = name.into_owned();
        return Err(Error::new(ErrorKind::RepeatedParameter { name }));
    }
    let mut context = ActiveContext::default();
    context.enter(parameters);
    let mut reader =
        ParameterReader { context, query: Query::default(), values: 0, direction: None };
    for (count, (name, value)) in parameters.members().enumerate() {
        if count >= MAX_PARAMETERS {
            return Err(Error::query_too_complex(MAX_PARAMETERS, "parameters"));
        }
        reader.parameter(&name.to_cow(), value)?;
    }
    reader.finish()
}

/// The matcher for one EPC.
pub(super) fn epc_matcher(name: &str, epc: &str) -> Result<Matcher, Error> {
    let mut matcher = Matcher::default();
    let added = matcher::add(&mut matcher, epc, Level::Instance).filter(|()| has_form_of_iri(epc));
    added.ok_or_else(|| Error::query_value(name, epc, PATTERN))?;
    matcher.sort();
    Ok(matcher)
}

/// A page size. One above the maximum becomes the maximum, since a page may have fewer events than requested.
pub(super) fn page_size(name: &str, text: &str) -> Result<usize, Error> {
    let number = positive(name, text)?;
    Ok(usize::try_from(number).map_or(MAX_PER_PAGE, |number| number.min(MAX_PER_PAGE)))
}

const PATTERN: &str = "a URI, or a pattern `urn:epc:idpat:…` whose stars are its last components";
const BOOLEAN: &str = "`true` or `false`";
const TIME: &str = "a time such as `2026-03-04T11:00:30.000+01:00`, with its zone";
const NUMBER: &str = "a number";
const TEXTS: &str = "a text or an array of texts";
const NUMBER_OR_TIME: &str = "a number, or a time with its zone";

fn positive(name: &str, text: &str) -> Result<u64, Error> {
    let number = text.parse::<u64>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| Error::query_value(name, text, "a whole number from 1"))
}

struct ParameterReader<'q> {
    context: ActiveContext<'q>,
    query: Query,
    /// How many values were read so far.
    values: usize,
    /// `orderDirection`, if it is given.
    direction: Option<bool>,
}

impl ParameterReader<'_> {
    fn parameter(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        let unknown = || Error::new(ErrorKind::NoSuchParameter { name: name.to_owned() });
        match name {
            "@context" => return Ok(()),
            "eventType" => {
                self.require_bound_words(name, value)?;
                let matcher = self.exact(name, value, normal::event_type)?;
                self.term(vec![Field::EventType], matcher);
                return Ok(());
            }
            "spine_account" => {
                self.query.accounts = Some(self.texts(name, value)?.into_iter().collect());
                return Ok(());
            }
            "orderBy" | "orderDirection" | "eventCountLimit" | "maxEventCount" | "perPage"
            | "nextPageToken" => return self.control(name, value),
            _ => {}
        }
        let (operator, field) = name.split_once('_').ok_or_else(unknown)?;
        let is_served = match operator {
            "MATCH" => self.match_epc(name, field, value)?,
            "EXISTS" => self.exists(name, field, value)?,
            "WD" => self.within(name, field, value)?,
            "HASATTR" => self.has_attribute(name, field, value)?,
            "EQATTR" => self.attribute_is(name, field, value)?,
            // The spelling of the standard's query schema.
            "EQ" if field.starts_with("ATTR_") => {
                let rest = field.strip_prefix("ATTR_").known();
                self.attribute_is(name, rest, value)?
            }
            "EQ" => {
                self.equal(name, field, value)?
                    || self.compare(name, Comparison::Equal, field, value)?
            }
            "GT" => self.compare(name, Comparison::Greater, field, value)?,
            "GE" => self.compare(name, Comparison::GreaterOrEqual, field, value)?,
            "LT" => self.compare(name, Comparison::Less, field, value)?,
            "LE" => self.compare(name, Comparison::LessOrEqual, field, value)?,
            _ => false,
        };
        if is_served { Ok(()) } else { Err(unknown()) }
    }

    /// Order, limits and pages.
    fn control(&mut self, name: &str, value: Value<'_>) -> Result<(), Error> {
        let text = self.scalar(name, value, "a single value")?;
        match name {
            "orderBy" => match text.as_str() {
                "eventTime" => self.query.order.by = OrderBy::EventTime,
                "recordTime" => self.query.order.by = OrderBy::RecordTime,
                _ => {
                    let field = extension::order_field(name, &text, &self.context)?;
                    let expected = "`eventTime`, `recordTime` or an extension field of the event, such as `prefix:name`";
                    let field = field.ok_or_else(|| Error::query_value(name, &text, expected))?;
                    self.query.order_field = Some(field);
                }
            },
            "orderDirection" => {
                self.direction = Some(match text.as_str() {
                    "ASC" => false,
                    "DESC" => true,
                    _ => return Err(Error::query_value(name, &text, "`ASC` or `DESC`")),
                });
            }
            "eventCountLimit" => self.query.event_count_limit = Some(positive(name, &text)?),
            "maxEventCount" => self.query.max_event_count = Some(positive(name, &text)?),
            "perPage" => self.query.per_page = page_size(name, &text)?,
            _ => self.query.next_page_token = Some(text),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Query, Error> {
        let needs = |name| {
            let needs = "orderBy";
            Err(Error::new(ErrorKind::ParameterNeeds { name, needs }))
        };
        let is_ordered =
            self.query.order.by != OrderBy::Capture || self.query.order_field.is_some();
        if self.direction.is_some() && !is_ordered {
            return needs("orderDirection");
        }
        if self.query.event_count_limit.is_some() && !is_ordered {
            return needs("eventCountLimit");
        }
        if self.query.event_count_limit.is_some() && self.query.max_event_count.is_some() {
            return Err(Error::new(ErrorKind::ParametersExclude {
                name: "eventCountLimit",
                other: "maxEventCount",
            }));
        }
        self.query.order.descending = is_ordered && self.direction.unwrap_or(true);
        Ok(self.query)
    }

    fn match_epc(&mut self, name: &str, field: &str, value: Value<'_>) -> Result<bool, Error> {
        let (fields, level) = match field {
            "epc" => (vec![Field::Epc, Field::ChildEpc], Level::Instance),
            "parentID" => (vec![Field::ParentId], Level::Instance),
            "inputEPC" => (vec![Field::InputEpc], Level::Instance),
            "outputEPC" => (vec![Field::OutputEpc], Level::Instance),
            "anyEPC" => (ANY_EPC.to_vec(), Level::Instance),
            "epcClass" => (vec![Field::EpcClass, Field::ChildEpcClass], Level::Class),
            "inputEPCClass" => (vec![Field::InputEpcClass], Level::Class),
            "outputEPCClass" => (vec![Field::OutputEpcClass], Level::Class),
            "anyEPCClass" => (ANY_CLASS.to_vec(), Level::Class),
            _ => return Ok(false),
        };
        let mut matcher = Matcher::default();
        for text in self.texts(name, value)? {
            matcher::add(&mut matcher, &text, level)
                .filter(|()| !text.is_empty())
                .ok_or_else(|| Error::query_value(name, &text, PATTERN))?;
        }
        matcher.sort();
        self.term(fields, matcher);
        Ok(true)
    }

    fn exists(&mut self, name: &str, field: &str, value: Value<'_>) -> Result<bool, Error> {
        let condition = match field {
            "errorDeclaration" => Condition::DeclaresError,
            "sensorElementList" => Condition::HasSensors,
            _ => {
                let Some(found) = extension_field(name, field, &self.context)? else {
                    return Ok(false);
                };
                found.condition(None)
            }
        };
        let is_on = match value.kind() {
            Kind::Null => true,
            Kind::Boolean => value.as_bool() == Some(true),
            _ => match self.scalar(name, value, "a flag: `true`, `false` or nothing")?.as_str() {
                "" | "1" | "true" => true,
                "0" | "false" => false,
                other => {
                    return Err(Error::query_value(
                        name,
                        other,
                        "a flag: `true`, `false` or nothing",
                    ));
                }
            },
        };
        // `false` is no condition: it does not select events without the field.
        if is_on {
            self.query.predicate.conditions.push(condition);
        }
        Ok(true)
    }

    /// `EQ_` for texts and words.
    fn equal(&mut self, name: &str, field: &str, value: Value<'_>) -> Result<bool, Error> {
        if field == "action" {
            let matcher = self.exact(name, value, |text, _| text.to_owned())?;
            if let Some(other) = matcher.exact.iter().find(|text| !ACTIONS.contains(&text.as_str()))
            {
                return Err(Error::query_value(name, other, "`ADD`, `OBSERVE` or `DELETE`"));
            }
            self.term(vec![Field::Action], matcher);
        } else if let Some((field, kind)) = text_field(name, field) {
            if kind == field::ValueKind::Boolean {
                let found = self.scalar(name, value, BOOLEAN)?;
                if !matches!(found.as_str(), "true" | "false") {
                    return Err(Error::query_value(name, &found, BOOLEAN));
                }
            }
            if matches!(kind, field::ValueKind::Word(_)) {
                self.require_bound_words(name, value)?;
            }
            let matcher = self.exact(name, value, |text, context| match kind {
                field::ValueKind::Word(vocabulary) => normal::word(text, vocabulary, context),
                kind => normal::text(text, kind),
            })?;
            self.term(vec![field], matcher);
        } else if let Some((field, vocabulary, kind)) = asked_with_type(field) {
            extension::require_bound(name, kind, &self.context)?;
            let kind = match kind {
                "" => String::new(),
                kind => normal::word(kind, vocabulary, &self.context),
            };
            let matcher =
                self.exact(name, value, |text, _| normal::typed(&kind, &normal::identifier(text)))?;
            self.term(vec![field], matcher);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Times, numbers and extension fields.
    fn compare(
        &mut self,
        name: &str,
        comparison: Comparison,
        field: &str,
        value: Value<'_>,
    ) -> Result<bool, Error> {
        if let Some(field) = time_field(field) {
            if !matches!(comparison, Comparison::GreaterOrEqual | Comparison::Less) {
                return Ok(false);
            }
            let text = self.scalar(name, value, TIME)?;
            let time =
                Timestamp::parse(&text).ok_or_else(|| Error::query_value(name, &text, TIME))?;
            self.query.predicate.conditions.push(Condition::Time { field, comparison, time });
            return Ok(true);
        }
        if let Some((field, unit)) = number_field(field) {
            let values = self
                .values(name, comparison, value, NUMBER)?
                .iter()
                .map(|text| {
                    Decimal::parse(text).ok_or_else(|| Error::query_value(name, text, NUMBER))
                })
                .collect::<Result<_, _>>()?;
            self.query.predicate.conditions.push(Condition::Number {
                field,
                unit,
                comparison,
                values,
            });
            return Ok(true);
        }
        let Some(found) = extension_field(name, field, &self.context)? else {
            return Ok(false);
        };
        let values = self.values(name, comparison, value, NUMBER_OR_TIME)?;
        if comparison != Comparison::Equal
            && let Some(text) = values.iter().find(|text| !ValueTest::is_ordered(text))
        {
            return Err(Error::query_value(name, text, NUMBER_OR_TIME));
        }
        let condition = found.condition(Some(ValueTest::new(comparison, values)));
        self.query.predicate.conditions.push(condition);
        Ok(true)
    }

    /// # Errors
    /// [`ErrorKind::PrefixNotBound`] for a word whose prefix is not bound.
    fn require_bound_words(&self, name: &str, value: Value<'_>) -> Result<(), Error> {
        let mut texts = std::iter::once(value).chain(value.elements()).filter_map(Value::as_str);
        texts.try_for_each(|text| extension::require_bound(name, &text, &self.context))
    }

    fn term(&mut self, fields: Vec<Field>, matcher: Matcher) {
        let condition = Condition::Term { fields, matcher };
        self.query.predicate.conditions.push(condition);
    }

    fn exact(
        &mut self,
        name: &str,
        value: Value<'_>,
        normal: impl Fn(&str, &ActiveContext<'_>) -> String,
    ) -> Result<Matcher, Error> {
        let texts = self.texts(name, value)?;
        let exact = texts.iter().map(|text| normal(text, &self.context));
        Ok(Matcher::exactly(exact.collect()))
    }

    /// The values of a comparison: only equality takes a list.
    fn values(
        &mut self,
        name: &str,
        comparison: Comparison,
        value: Value<'_>,
        expected: &'static str,
    ) -> Result<Vec<String>, Error> {
        if comparison == Comparison::Equal {
            self.texts(name, value)
        } else {
            Ok(vec![self.scalar(name, value, expected)?])
        }
    }

    /// The values of a list, a single one being a list of one.
    fn texts(&mut self, name: &str, value: Value<'_>) -> Result<Vec<String>, Error> {
        if value.kind() != Kind::Array {
            return Ok(vec![self.scalar(name, value, TEXTS)?]);
        }
        let texts: Vec<String> = value
            .elements()
            .map(|element| self.scalar(name, element, TEXTS))
            .collect::<Result<_, _>>()?;
        if texts.is_empty() {
            return Err(Error::query_value(name, "[]", "at least one value"));
        }
        Ok(texts)
    }

    fn scalar(
        &mut self,
        name: &str,
        value: Value<'_>,
        expected: &'static str,
    ) -> Result<String, Error> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(Error::query_too_complex(MAX_VALUES, "values"));
        }
        match value.kind() {
            Kind::String => Ok(value.as_str().known().into_owned()),
            Kind::Boolean | Kind::Number => Ok(value.source().to_owned()),
            _ => Err(Error::query_value(name, value.source(), expected)),
        }
    }
}
