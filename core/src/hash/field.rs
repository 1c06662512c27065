//! The standard fields in canonical order (CBV 2.0, 8.9), with what may stand in each.

use super::name::Name;
use super::value::Rule;
use crate::vocabulary::{
    BIZ_STEP, BIZ_TRANSACTION_TYPE, COMPONENT, DISPOSITION, SOURCE_DESTINATION_TYPE,
};

/// A standard field.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) form: Form,
    /// How its text is read.
    pub(super) rule: Rule,
    /// What may stand in it, in canonical order.
    pub(super) members: &'static [Field],
}

/// How a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Its name, then what is in it.
    Named,
    /// Named too, where a profile says so.
    SensorElementList,
    /// A list of business transactions, sources or destinations, which a profile writes among the pieces at the end.
    BusinessList,
    /// A member of such a list: first its type, then its name with its text; no name in front.
    Typed,
    /// Named too, where a profile lets it count.
    CertificationInfo,
}

const fn leaf(name: Name) -> Field {
    ruled(name, Rule::Plain)
}

const fn ruled(name: Name, rule: Rule) -> Field {
    Field {
        name,
        form: Form::Named,
        rule,
        members: &[],
    }
}

const fn container(name: Name, members: &'static [Field]) -> Field {
    formed(name, Form::Named, members)
}

const fn formed(name: Name, form: Form, members: &'static [Field]) -> Field {
    Field {
        name,
        form,
        rule: Rule::Plain,
        members,
    }
}

const EPC: &[Field] = &[leaf(Name::EPC)];

const QUANTITY: &[Field] = &[container(
    Name::QUANTITY_ELEMENT,
    &[leaf(Name::EPC_CLASS), leaf(Name::QUANTITY), leaf(Name::UOM)],
)];

const PLACE: &[Field] = &[leaf(Name::ID)];

const SOURCE_OR_DESTINATION_TYPE: &[Field] =
    &[ruled(Name::TYPE, Rule::Word(&SOURCE_DESTINATION_TYPE))];

const SENSOR_METADATA: &[Field] = &[
    ruled(Name::TIME, Rule::Time),
    ruled(Name::START_TIME, Rule::Time),
    ruled(Name::END_TIME, Rule::Time),
    leaf(Name::DEVICE_ID),
    leaf(Name::DEVICE_METADATA),
    leaf(Name::RAW_DATA),
    leaf(Name::DATA_PROCESSING_METHOD),
    leaf(Name::BIZ_RULES),
];

const SENSOR_REPORT: &[Field] = &[
    ruled(Name::TYPE, Rule::Gs1Word),
    ruled(Name::EXCEPTION, Rule::Gs1Word),
    leaf(Name::DEVICE_ID),
    leaf(Name::DEVICE_METADATA),
    leaf(Name::RAW_DATA),
    leaf(Name::DATA_PROCESSING_METHOD),
    ruled(Name::TIME, Rule::Time),
    leaf(Name::MICROORGANISM),
    leaf(Name::CHEMICAL_SUBSTANCE),
    leaf(Name::VALUE),
    ruled(Name::COMPONENT, Rule::Word(&COMPONENT)),
    leaf(Name::STRING_VALUE),
    leaf(Name::BOOLEAN_VALUE),
    leaf(Name::HEX_BINARY_VALUE),
    leaf(Name::URI_VALUE),
    leaf(Name::MIN_VALUE),
    leaf(Name::MAX_VALUE),
    leaf(Name::MEAN_VALUE),
    leaf(Name::S_DEV),
    leaf(Name::PERC_RANK),
    leaf(Name::PERC_VALUE),
    leaf(Name::UOM),
    leaf(Name::COORDINATE_REFERENCE_SYSTEM),
];

/// The fields of an event; one order serves all five event types.
pub(super) const EVENT: &[Field] = &[
    ruled(Name::EVENT_TIME, Rule::Time),
    ruled(Name::EVENT_TIME_ZONE_OFFSET, Rule::Verbatim),
    formed(Name::CERTIFICATION_INFO, Form::CertificationInfo, &[]),
    container(Name::EPC_LIST, EPC),
    leaf(Name::PARENT_ID),
    container(Name::INPUT_EPC_LIST, EPC),
    container(Name::CHILD_EPCS, EPC),
    container(Name::QUANTITY_LIST, QUANTITY),
    container(Name::CHILD_QUANTITY_LIST, QUANTITY),
    container(Name::INPUT_QUANTITY_LIST, QUANTITY),
    container(Name::OUTPUT_EPC_LIST, EPC),
    container(Name::OUTPUT_QUANTITY_LIST, QUANTITY),
    leaf(Name::ACTION),
    leaf(Name::TRANSFORMATION_ID),
    ruled(Name::BIZ_STEP, Rule::Word(&BIZ_STEP)),
    ruled(Name::DISPOSITION, Rule::Word(&DISPOSITION)),
    container(
        Name::PERSISTENT_DISPOSITION,
        &[
            ruled(Name::SET, Rule::Word(&DISPOSITION)),
            ruled(Name::UNSET, Rule::Word(&DISPOSITION)),
        ],
    ),
    container(Name::READ_POINT, PLACE),
    container(Name::BIZ_LOCATION, PLACE),
    formed(
        Name::BIZ_TRANSACTION_LIST,
        Form::BusinessList,
        &[formed(
            Name::BIZ_TRANSACTION,
            Form::Typed,
            &[ruled(Name::TYPE, Rule::Word(&BIZ_TRANSACTION_TYPE))],
        )],
    ),
    formed(
        Name::SOURCE_LIST,
        Form::BusinessList,
        &[formed(
            Name::SOURCE,
            Form::Typed,
            SOURCE_OR_DESTINATION_TYPE,
        )],
    ),
    formed(
        Name::DESTINATION_LIST,
        Form::BusinessList,
        &[formed(
            Name::DESTINATION,
            Form::Typed,
            SOURCE_OR_DESTINATION_TYPE,
        )],
    ),
    formed(
        Name::SENSOR_ELEMENT_LIST,
        Form::SensorElementList,
        &[container(
            Name::SENSOR_ELEMENT,
            &[
                container(Name::SENSOR_METADATA, SENSOR_METADATA),
                container(Name::SENSOR_REPORT, SENSOR_REPORT),
            ],
        )],
    ),
];

/// What never counts, at event level: who recorded when, the event's own name, what was declared wrong about it later.
pub(super) fn is_excluded(name: Name) -> bool {
    matches!(
        name,
        Name::TYPE | Name::RECORD_TIME | Name::EVENT_ID | Name::ERROR_DECLARATION
    )
}
