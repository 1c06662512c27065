//! The parts of an event that queries can search.

use serde::Serialize;

/// A text of an event that a query can search.
///
/// Stores keep these numbers.
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
#[repr(u8)]
pub enum Field {
    /// A member of `epcList`.
    Epc = 1,
    /// A member of `childEPCs`.
    ChildEpc = 2,
    /// `parentID`.
    ParentId = 3,
    /// A member of `inputEPCList`.
    InputEpc = 4,
    /// A member of `outputEPCList`.
    OutputEpc = 5,
    /// An `epcClass` of `quantityList`.
    EpcClass = 6,
    /// An `epcClass` of `childQuantityList`.
    ChildEpcClass = 7,
    /// An `epcClass` of `inputQuantityList`.
    InputEpcClass = 8,
    /// An `epcClass` of `outputQuantityList`.
    OutputEpcClass = 9,
    /// A business transaction: type, space, identifier.
    BizTransaction = 10,
    /// A source: type, space, identifier.
    Source = 11,
    /// A destination: type, space, identifier.
    Destination = 12,
    /// The `id` of `readPoint`.
    ReadPoint = 13,
    /// The `id` of `bizLocation`.
    BizLocation = 14,
    /// `transformationID`.
    TransformationId = 15,
    /// A member of `persistentDisposition.set`.
    PersistentDispositionSet = 16,
    /// A member of `persistentDisposition.unset`.
    PersistentDispositionUnset = 17,
    /// The `reason` of the error declaration.
    ErrorReason = 18,
    /// A member of `correctiveEventIDs` of the error declaration.
    CorrectiveEventId = 19,
    /// The event type.
    EventType = 32,
    /// `action`.
    Action = 33,
    /// `bizStep`.
    BizStep = 34,
    /// `disposition`.
    Disposition = 35,
    /// `eventID`.
    EventId = 36,
    /// The `type` of a sensor report.
    SensorType = 64,
    /// A `deviceID` of sensor metadata or a report.
    DeviceId = 65,
    /// A `dataProcessingMethod` of sensor metadata or a report.
    DataProcessingMethod = 66,
    /// `bizRules` of sensor metadata.
    BizRules = 67,
    /// `microorganism` of a sensor report.
    Microorganism = 68,
    /// `chemicalSubstance` of a sensor report.
    ChemicalSubstance = 69,
    /// `stringValue` of a sensor report.
    StringValue = 70,
    /// `hexBinaryValue` of a sensor report.
    HexBinaryValue = 71,
    /// `uriValue` of a sensor report.
    UriValue = 72,
    /// `booleanValue` of a sensor report.
    BooleanValue = 73,
}

/// A time of an event that a query can search.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub enum TimeField {
    /// `declarationTime` of the error declaration.
    ErrorDeclarationTime,
    /// `eventTime`.
    EventTime,
    /// `recordTime`.
    RecordTime,
    /// `endTime` of sensor metadata.
    SensorEndTime,
    /// `startTime` of sensor metadata.
    SensorStartTime,
    /// `time` of sensor metadata or a report.
    SensorTime,
}

/// A number of an event that a query can search.
///
/// Open: later versions add variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub enum NumberField {
    /// `quantity` of any quantity element.
    Quantity,
    /// `value` of a sensor report.
    Value,
    /// `minValue` of a sensor report.
    MinValue,
    /// `maxValue` of a sensor report.
    MaxValue,
    /// `meanValue` of a sensor report.
    MeanValue,
    /// `sDev` of a sensor report.
    SDev,
    /// `percRank` of a sensor report.
    PercRank,
    /// `percValue` of a sensor report.
    PercValue,
}
