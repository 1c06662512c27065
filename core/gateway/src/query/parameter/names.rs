//! The names of the parameters: which are served, and which field each compares.

use epcis_edge_document::field::{
    NumberField, QueryField as Field, QueryTarget, TimeField, ValueKind, asked_by,
};

/// The parameters and families that are served: the whole language. In a family, `T` is a type, `U` a unit and `F` the name of an
/// extension field; `field` is a field of the standard or `F`, `attr` an attribute of master data; `EQ|GT` means either of the two.
pub const SERVED: [&str; 74] = [
    "eventType",
    "GE_eventTime",
    "LT_eventTime",
    "GE_recordTime",
    "LT_recordTime",
    "EQ_action",
    "EQ_bizStep",
    "EQ_disposition",
    "EQ_persistentDisposition_set",
    "EQ_persistentDisposition_unset",
    "EQ_readPoint",
    "EQ_bizLocation",
    "WD_readPoint",
    "WD_bizLocation",
    "EQ_transformationID",
    "EQ_bizTransaction_T",
    "EQ_source_T",
    "EQ_destination_T",
    "MATCH_epc",
    "MATCH_parentID",
    "MATCH_inputEPC",
    "MATCH_outputEPC",
    "MATCH_anyEPC",
    "MATCH_epcClass",
    "MATCH_inputEPCClass",
    "MATCH_outputEPCClass",
    "MATCH_anyEPCClass",
    "EQ_eventID",
    "EXISTS_errorDeclaration",
    "GE_errorDeclarationTime",
    "LT_errorDeclarationTime",
    "EQ_errorReason",
    "EQ_correctiveEventID",
    "EQ|GT|GE|LT|LE_quantity",
    "EQ|GT|GE|LT|LE_quantity_U",
    "EXISTS_sensorElementList",
    "GE_time",
    "LT_time",
    "GE_startTime",
    "LT_startTime",
    "GE_endTime",
    "LT_endTime",
    "EQ_type",
    "EQ_deviceID",
    "EQ_dataProcessingMethod",
    "EQ_bizRules",
    "EQ_microorganism",
    "EQ_chemicalSubstance",
    "EQ_stringValue",
    "EQ_hexBinaryValue",
    "EQ_uriValue",
    "EQ_booleanValue",
    "EQ|GT|GE|LT|LE_value_U",
    "EQ|GT|GE|LT|LE_minValue|maxValue|meanValue|sDev|percValue_U",
    "EQ|GT|GE|LT|LE_percRank",
    "EQ|GT|GE|LT|LE|EXISTS_F",
    "EQ|GT|GE|LT|LE|EXISTS_INNER_F",
    "EQ|GT|GE|LT|LE|EXISTS_ILMD_F",
    "EQ|GT|GE|LT|LE|EXISTS_INNER_ILMD_F",
    "EQ|GT|GE|LT|LE|EXISTS_ERROR_DECLARATION_F",
    "EQ|GT|GE|LT|LE|EXISTS_INNER_ERROR_DECLARATION_F",
    "EQ|GT|GE|LT|LE|EXISTS_SENSORELEMENT_F",
    "EQ|GT|GE|LT|LE|EXISTS_INNER_SENSORELEMENT_F",
    "EQ|GT|GE|LT|LE|EXISTS_SENSORMETADATA_F",
    "EQ|GT|GE|LT|LE|EXISTS_INNER_SENSORMETADATA_F",
    "EQ|GT|GE|LT|LE|EXISTS_SENSORREPORT_F",
    "EQ|GT|GE|LT|LE|EXISTS_INNER_SENSORREPORT_F",
    "EQ_readPoint|bizLocation_F",
    "EQ_INNER_readPoint|bizLocation_F",
    "HASATTR_field",
    "EQATTR_field_attr",
    "spine_account",
    "orderBy, orderDirection, eventCountLimit, maxEventCount",
    "perPage, nextPageToken",
];

/// The fields that `MATCH_anyEPC` compares.
pub(crate) const ANY_EPC: [Field; 5] =
    [Field::Epc, Field::ChildEpc, Field::ParentId, Field::InputEpc, Field::OutputEpc];

/// The lists that `MATCH_anyEPCClass` compares.
pub(crate) const ANY_CLASS: [Field; 4] =
    [Field::EpcClass, Field::ChildEpcClass, Field::InputEpcClass, Field::OutputEpcClass];

/// Fields with another name in parameters than in events.
const FIELD_ALIASES: [(&str, &str); 5] = [
    ("persistentDisposition_set", "set"),
    ("persistentDisposition_unset", "unset"),
    ("errorReason", "reason"),
    ("errorDeclarationTime", "declarationTime"),
    ("errorDeclaration_Time", "declarationTime"),
];

/// The part of an event that a parameter compares, and the kind of its values.
pub(super) fn query_target(field: &str) -> Option<(QueryTarget, ValueKind)> {
    let otherwise = FIELD_ALIASES.iter().find(|(known, _)| *known == field);
    asked_by(otherwise.map_or(field, |(_, name)| name))
}

/// The text field that an `EQ_` parameter compares, and the kind of its values.
pub(super) fn text_field(name: &str, field: &str) -> Option<(Field, ValueKind)> {
    match query_target(field)? {
        (QueryTarget::Text(found), kind) if SERVED.contains(&name) => Some((found, kind)),
        _ => None,
    }
}

/// The time field that a parameter compares.
pub(super) fn time_field(field: &str) -> Option<TimeField> {
    let is_served = field == "errorDeclaration_Time"
        || SERVED.iter().any(|served| served.strip_prefix("GE_") == Some(field));
    match query_target(field)? {
        (QueryTarget::Time(found), _) if is_served => Some(found),
        _ => None,
    }
}

/// The number field that a parameter compares, and the unit if the name ends in one.
pub(super) fn number_field(field: &str) -> Option<(NumberField, Option<String>)> {
    let (name, unit) = match field.split_once('_') {
        Some((name, unit)) => (name, Some(unit)),
        None => (field, None),
    };
    let (QueryTarget::Number(number), _) = query_target(name)? else {
        return None;
    };
    let is_unit = |unit: &str| {
        (2..=4).contains(&unit.len())
            && unit.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    // Sensor values mean nothing without a unit.
    let wants_unit = !matches!(number, NumberField::Quantity | NumberField::PercRank);
    match unit {
        Some(unit) if is_unit(unit) => Some((number, Some(unit.to_owned()))),
        None if !wants_unit => Some((number, None)),
        _ => None,
    }
}
