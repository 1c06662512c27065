//! The parameters that query master data.

use super::ParameterReader;
use super::extension::{expanded, extension_field};
use super::names::ANY_CLASS;
use crate::query::lookup::{IdentifierSource, Lookup, MasterDataCondition};
use crate::query::{Condition, EventPart, Field};
use epcis_edge_document::normal;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Value;

/// The fields of the standard whose values have master data.
const FIELDS: [(&str, &[Field]); 5] = [
    ("readPoint", &[Field::ReadPoint]),
    ("bizLocation", &[Field::BizLocation]),
    ("bizStep", &[Field::BizStep]),
    ("disposition", &[Field::Disposition]),
    ("epcClass", &ANY_CLASS),
];

/// Fields whose values have a type beside them, and master data.
const TYPED: [(&str, Field); 3] = [
    ("bizTransaction", Field::BizTransaction),
    ("source", Field::Source),
    ("destination", Field::Destination),
];

fn standard_field(name: &str) -> Option<IdentifierSource> {
    let plain = FIELDS.iter().find(|(known, _)| *known == name);
    let typed = TYPED.iter().find(|(known, _)| *known == name);
    match (plain, typed) {
        (Some((_, fields)), _) => Some(IdentifierSource::Fields(fields.to_vec())),
        (None, Some((_, field))) => Some(IdentifierSource::Typed(*field)),
        (None, None) => None,
    }
}

impl ParameterReader<'_> {
    /// `WD_`: one of these locations, or a location below one of them in master data.
    pub(super) fn within(
        &mut self,
        name: &str,
        field: &str,
        value: Value<'_>,
    ) -> Result<bool, Error> {
        if !matches!(field, "readPoint" | "bizLocation") {
            return Ok(false);
        }
        let Some(subject) = standard_field(field) else {
            return Ok(false);
        };
        let texts = self.texts(name, value)?;
        let places = texts.iter().map(|text| normal::identifier(text)).collect();
        self.look_up(subject, MasterDataCondition::Within(places));
        Ok(true)
    }

    /// `HASATTR_`: master data has one of these attributes.
    pub(super) fn has_attribute(
        &mut self,
        name: &str,
        field: &str,
        value: Value<'_>,
    ) -> Result<bool, Error> {
        let Some(subject) = self.subject(name, field)? else {
            return Ok(false);
        };
        let texts = self.texts(name, value)?;
        let names =
            texts.iter().map(|text| self.attribute(name, text)).collect::<Result<_, _>>()?;
        self.look_up(subject, MasterDataCondition::HasAttribute(names));
        Ok(true)
    }

    /// `EQATTR_`: master data has the attribute with one of these values.
    ///
    /// After a field of the standard, the whole rest is the name of the attribute. An extension field and its attribute must have
    /// no other underscore than the one between them: with more there would be several ways to read the name.
    pub(super) fn attribute_is(
        &mut self,
        name: &str,
        rest: &str,
        value: Value<'_>,
    ) -> Result<bool, Error> {
        let (field, attribute) = match rest.split_once('_') {
            Some((field, attribute)) if standard_field(field).is_some() => (field, attribute),
            Some((field, attribute)) if field.contains(':') => {
                if attribute.contains('_') {
                    return Err(Error::query_value(
                        name,
                        rest,
                        "an extension field and an attribute with one underscore, which stands between them",
                    ));
                }
                (field, attribute)
            }
            _ => return Ok(false),
        };
        let Some(subject) = self.subject(name, field)?.filter(|_| !attribute.is_empty()) else {
            return Ok(false);
        };
        let attribute = self.attribute(name, attribute)?;
        let values = self.texts(name, value)?.into_iter().collect();
        let asked = MasterDataCondition::AttributeIs { name: attribute, values };
        self.look_up(subject, asked);
        Ok(true)
    }

    fn look_up(&mut self, subject: IdentifierSource, asked: MasterDataCondition) {
        let lookup = Lookup { subject, asked };
        let condition = Condition::MasterData(lookup);
        self.query.predicate.conditions.push(condition);
    }

    /// The part of the event whose identifiers a parameter compares; none for other fields.
    fn subject(&self, name: &str, field: &str) -> Result<Option<IdentifierSource>, Error> {
        if let Some(subject) = standard_field(field) {
            return Ok(Some(subject));
        }
        let found = extension_field(name, field, &self.context)?;
        let found = found.filter(|found| found.place == EventPart::Event && !found.is_inner);
        Ok(found.map(|found| IdentifierSource::Extension(found.name)))
    }

    /// The full name of an attribute; a bare word is one of the CBV.
    fn attribute(&self, parameter: &str, name: &str) -> Result<String, Error> {
        if name.contains(':') {
            let name = expanded(parameter, name, &self.context)?;
            return Ok(normal::whole_name(&name));
        }
        Ok(normal::master_data_word(name))
    }
}
