//! The names of the parameters: what is served, and where each looks.

use crate::field::{AskedField as Field, NumberField, TimeField};
use crate::query::normal;
use crate::vocabulary::{
    BIZ_STEP, BIZ_TRANSACTION_TYPE, DISPOSITION, ERROR_REASON, MEASUREMENT_TYPE,
    SOURCE_DESTINATION_TYPE, Vocabulary,
};

/// The parameters and families that are served; in a family, `T` is a type, `U` a unit and `F` the name of an extension field,
/// and `EQ|GT` stands for either.
pub const SERVED: [&str; 61] = [
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
    "orderBy, orderDirection, eventCountLimit, maxEventCount",
    "perPage, nextPageToken",
];

/// The roles that `MATCH_anyEPC` looks at.
pub(in crate::query) const ANY_EPC: [Field; 5] = [
    Field::Epc,
    Field::ChildEpc,
    Field::ParentId,
    Field::InputEpc,
    Field::OutputEpc,
];

/// The lists that `MATCH_anyEPCClass` looks at.
pub(super) const ANY_CLASS: [Field; 4] = [
    Field::EpcClass,
    Field::ChildEpcClass,
    Field::InputEpcClass,
    Field::OutputEpcClass,
];

/// A normal form of texts.
pub(super) type Normal = fn(&str) -> String;

/// The parameters that compare texts, with where they look.
pub(super) const TEXT_PARAMETERS: [(&str, Field, Normal); 14] = [
    ("readPoint", Field::ReadPoint, normal::identifier),
    ("bizLocation", Field::BizLocation, normal::identifier),
    (
        "transformationID",
        Field::TransformationId,
        normal::identifier,
    ),
    ("eventID", Field::EventId, normal::event_id),
    (
        "correctiveEventID",
        Field::CorrectiveEventId,
        normal::event_id,
    ),
    ("deviceID", Field::DeviceId, normal::identifier),
    (
        "dataProcessingMethod",
        Field::DataProcessingMethod,
        normal::identifier,
    ),
    ("bizRules", Field::BizRules, normal::identifier),
    ("microorganism", Field::Microorganism, normal::identifier),
    (
        "chemicalSubstance",
        Field::ChemicalSubstance,
        normal::identifier,
    ),
    ("stringValue", Field::StringValue, str::to_owned),
    (
        "hexBinaryValue",
        Field::HexBinaryValue,
        str::to_ascii_uppercase,
    ),
    ("uriValue", Field::UriValue, normal::identifier),
    ("booleanValue", Field::BooleanValue, str::to_owned),
];

/// The parameters that compare words of a vocabulary.
pub(super) const WORD_PARAMETERS: [(&str, Field, &Vocabulary); 6] = [
    ("bizStep", Field::BizStep, &BIZ_STEP),
    ("disposition", Field::Disposition, &DISPOSITION),
    (
        "persistentDisposition_set",
        Field::PersistentDispositionSet,
        &DISPOSITION,
    ),
    (
        "persistentDisposition_unset",
        Field::PersistentDispositionUnset,
        &DISPOSITION,
    ),
    ("errorReason", Field::ErrorReason, &ERROR_REASON),
    ("type", Field::SensorType, &MEASUREMENT_TYPE),
];

/// The families whose name ends in the type of what they compare.
pub(super) const TYPED_FAMILIES: [(&str, Field, &Vocabulary); 3] = [
    (
        "bizTransaction_",
        Field::BizTransaction,
        &BIZ_TRANSACTION_TYPE,
    ),
    ("source_", Field::Source, &SOURCE_DESTINATION_TYPE),
    ("destination_", Field::Destination, &SOURCE_DESTINATION_TYPE),
];

/// The parameters that compare times.
pub(super) const TIMES: [(&str, TimeField); 7] = [
    ("eventTime", TimeField::EventTime),
    ("recordTime", TimeField::RecordTime),
    ("errorDeclarationTime", TimeField::ErrorDeclarationTime),
    ("errorDeclaration_Time", TimeField::ErrorDeclarationTime),
    ("time", TimeField::SensorTime),
    ("startTime", TimeField::SensorStartTime),
    ("endTime", TimeField::SensorEndTime),
];

/// The parameters that compare numbers, alone or with a unit behind the name.
pub(super) const NUMBERS: [(&str, NumberField); 8] = [
    ("quantity", NumberField::Quantity),
    ("value", NumberField::Value),
    ("minValue", NumberField::MinValue),
    ("maxValue", NumberField::MaxValue),
    ("meanValue", NumberField::MeanValue),
    ("sDev", NumberField::SDev),
    ("percRank", NumberField::PercRank),
    ("percValue", NumberField::PercValue),
];

/// A number, and its unit where the name ends in one.
pub(super) fn number_field(field: &str) -> Option<(NumberField, Option<String>)> {
    let (name, unit) = match field.split_once('_') {
        Some((name, unit)) => (name, Some(unit)),
        None => (field, None),
    };
    let (_, number) = NUMBERS.iter().find(|(known, _)| *known == name)?;
    let is_unit = |unit: &str| {
        (2..=4).contains(&unit.len())
            && unit
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    // Values of a sensor mean nothing without their unit.
    let wants_unit = !matches!(number, NumberField::Quantity | NumberField::PercRank);
    match unit {
        Some(unit) if is_unit(unit) => Some((*number, Some(unit.to_owned()))),
        None if !wants_unit => Some((*number, None)),
        _ => None,
    }
}

/// Whether the query language has the parameter, although it is not served.
pub(super) fn is_unserved(operator: &str, field: &str) -> bool {
    let field = field.strip_prefix("INNER_").unwrap_or(field);
    let begins = |starts: &[&str]| starts.iter().any(|start| field.starts_with(start));
    match operator {
        "WD" => matches!(field, "readPoint" | "bizLocation"),
        "HASATTR" | "EQATTR" => true,
        "EQ" | "GT" | "GE" | "LT" | "LE" | "EXISTS" => {
            begins(&["SENSORELEMENT_", "SENSORMETADATA_", "SENSORREPORT_"])
                || (begins(&["readPoint_", "bizLocation_", "ATTR_"]))
        }
        _ => false,
    }
}
