// Made from core/document/src/field.rs by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-document --lib are_current`: change nothing here.

/** The fields of each event type that not all types have, in hashing order. */
export const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {
  ObjectEvent: ['epcList', 'quantityList', 'action', 'ilmd'],
  AggregationEvent: ['parentID', 'childEPCs', 'childQuantityList', 'action'],
  TransactionEvent: ['epcList', 'parentID', 'quantityList', 'action'],
  TransformationEvent: ['inputEPCList', 'inputQuantityList', 'outputEPCList', 'outputQuantityList', 'transformationID', 'ilmd'],
  AssociationEvent: ['parentID', 'childEPCs', 'childQuantityList', 'action'],
};

/** The names in a pre-hash string that other names follow. */
export const CONTAINERS =
  'epcList inputEPCList childEPCs quantityList quantityElement childQuantityList inputQuantityList outputEPCList outputQuantityList persistentDisposition readPoint bizLocation bizTransactionList bizTransaction sourceList source destinationList destination sensorElementList sensorElement sensorMetadata sensorReport'.split(
    ' ',
  );

/** The names in a pre-hash string that a value follows. */
export const VALUES =
  'eventType eventTime eventTimeZoneOffset certificationInfo epc parentID epcClass quantity uom action transformationID bizStep disposition set unset id bizTransaction type source destination time startTime endTime deviceID deviceMetadata rawData dataProcessingMethod bizRules exception microorganism chemicalSubstance value component stringValue booleanValue hexBinaryValue uriValue minValue maxValue meanValue sDev percRank percValue coordinateReferenceSystem'.split(
    ' ',
  );
