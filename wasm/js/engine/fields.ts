// Made from core/document/src/field.rs by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-document --lib are_current`: change nothing here.

/** The types of events. */
export const EVENT_TYPES: readonly string[] = ['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent'];

/** The lists of EPCs. */
export const EPC_LISTS: readonly string[] = ['epcList', 'inputEPCList', 'childEPCs', 'outputEPCList'];

/** The lists of quantities of a class. */
export const QUANTITY_LISTS: readonly string[] = ['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'];
