// Made by scripts/types.mjs from the official schema: change nothing here.

/** A URI, or a name with a prefix that `@context` binds. */
export type UserUri = `${string}:${string}`;

/** What an event says of its objects or relations (EPCIS 2.0, 7.3.2). */
export type Action = 'OBSERVE' | 'ADD' | 'DELETE';

/** A business step: a standard word, or the URI of a word of your own. */
export type BizStep =
  | 'accepting'
  | 'arriving'
  | 'assembling'
  | 'collecting'
  | 'commissioning'
  | 'consigning'
  | 'creating_class_instance'
  | 'cycle_counting'
  | 'decommissioning'
  | 'departing'
  | 'destroying'
  | 'disassembling'
  | 'dispensing'
  | 'encoding'
  | 'entering_exiting'
  | 'holding'
  | 'inspecting'
  | 'installing'
  | 'killing'
  | 'loading'
  | 'other'
  | 'packing'
  | 'picking'
  | 'receiving'
  | 'removing'
  | 'repackaging'
  | 'repairing'
  | 'replacing'
  | 'reserving'
  | 'retail_selling'
  | 'shipping'
  | 'staging_outbound'
  | 'stock_taking'
  | 'stocking'
  | 'storing'
  | 'transporting'
  | 'unloading'
  | 'unpacking'
  | 'void_shipping'
  | 'sensor_reporting'
  | 'sampling'
  | UserUri;

/** A disposition: a standard word, or the URI of a word of your own. */
export type Disposition =
  | 'active'
  | 'container_closed'
  | 'damaged'
  | 'destroyed'
  | 'dispensed'
  | 'disposed'
  | 'encoded'
  | 'expired'
  | 'in_progress'
  | 'in_transit'
  | 'inactive'
  | 'no_pedigree_match'
  | 'non_sellable_other'
  | 'partially_dispensed'
  | 'recalled'
  | 'reserved'
  | 'retail_sold'
  | 'returned'
  | 'sellable_accessible'
  | 'sellable_not_accessible'
  | 'stolen'
  | 'unknown'
  | 'available'
  | 'completeness_verified'
  | 'completeness_inferred'
  | 'conformant'
  | 'container_open'
  | 'mismatch_instance'
  | 'mismatch_class'
  | 'mismatch_quantity'
  | 'needs_replacement'
  | 'non_conformant'
  | 'unavailable'
  | UserUri;

/** The type of a business transaction. */
export type BizTransactionType =
  | 'bol'
  | 'cert'
  | 'desadv'
  | 'inv'
  | 'pedigree'
  | 'po'
  | 'poc'
  | 'prodorder'
  | 'recadv'
  | 'rma'
  | 'testprd'
  | 'testres'
  | 'upevt'
  | UserUri;

/** The type of a source or destination. */
export type SourceDestType = 'owning_party' | 'possessing_party' | 'location' | UserUri;

/** Why an event is declared wrong. */
export type ErrorReason = 'did_not_occur' | 'incorrect_data' | UserUri;

/** What a sensor measured. */
export type MeasurementType =
  | 'AbsoluteHumidity'
  | 'AbsorbedDose'
  | 'AbsorbedDoseRate'
  | 'Acceleration'
  | 'Radioactivity'
  | 'Altitude'
  | 'AmountOfSubstance'
  | 'AmountOfSubstancePerUnitVolume'
  | 'Angle'
  | 'AngularAcceleration'
  | 'AngularMomentum'
  | 'AngularVelocity'
  | 'Area'
  | 'Capacitance'
  | 'Conductance'
  | 'Conductivity'
  | 'Count'
  | 'Density'
  | 'Dimensionless'
  | 'DoseEquivalent'
  | 'DoseEquivalentRate'
  | 'DynamicViscosity'
  | 'ElectricCharge'
  | 'ElectricCurrent'
  | 'ElectricCurrentDensity'
  | 'ElectricFieldStrength'
  | 'Energy'
  | 'Exposure'
  | 'Force'
  | 'Frequency'
  | 'Illuminance'
  | 'Inductance'
  | 'Irradiance'
  | 'KinematicViscosity'
  | 'Length'
  | 'LinearMomentum'
  | 'Luminance'
  | 'LuminousFlux'
  | 'LuminousIntensity'
  | 'MagneticFlux'
  | 'MagneticFluxDensity'
  | 'MagneticVectorPotential'
  | 'Mass'
  | 'MassConcentration'
  | 'MassFlowRate'
  | 'MassPerAreaTime'
  | 'MemoryCapacity'
  | 'MolalityOfSolute'
  | 'MolarEnergy'
  | 'MolarMass'
  | 'MolarVolume'
  | 'Power'
  | 'Pressure'
  | 'RadiantFlux'
  | 'RadiantIntensity'
  | 'RelativeHumidity'
  | 'Resistance'
  | 'Resistivity'
  | 'SolidAngle'
  | 'SpecificVolume'
  | 'Speed'
  | 'SurfaceDensity'
  | 'SurfaceTension'
  | 'Temperature'
  | 'Time'
  | 'Torque'
  | 'Voltage'
  | 'Volume'
  | 'VolumeFlowRate'
  | 'VolumeFraction'
  | 'VolumetricFlux'
  | 'Wavenumber'
  | UserUri;

/** Which exception a sensor reports. */
export type SensorAlertType = 'ALARM_CONDITION' | 'ERROR_CONDITION' | UserUri;

/** Which component of a vector or position a value is. */
export type Component =
  | 'x'
  | 'y'
  | 'z'
  | 'axial_distance'
  | 'azimuth'
  | 'height'
  | 'spherical_radius'
  | 'polar_angle'
  | 'elevation_angle'
  | 'easting'
  | 'northing'
  | 'latitude'
  | 'longitude'
  | 'altitude'
  | UserUri;

/** A JSON-LD context: an address, bindings of prefixes, or an array of these. */
export type Context = string | object | (string | object)[];

/** A quantity of a class. */
export interface QuantityElement {
  /** The class: a GTIN with or without a lot, as URN or Digital Link. */
  epcClass: string;
  /** How much: without `uom` a count. */
  quantity?: number;
  /** The unit, a code of UN/CEFACT recommendation 20, such as `KGM` or `CEL`. */
  uom?: string;
}

/** A business transaction. */
export interface BizTransaction {
  type?: BizTransactionType;
  bizTransaction: string;
}

/** Where the event took place. */
export interface ReadPoint {
  id: string;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Where the objects are afterwards. */
export interface BizLocation {
  id: string;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Where a transfer begins. */
export interface Source {
  type: SourceDestType;
  source: string;
}

/** Where a transfer ends. */
export interface Destination {
  type: SourceDestType;
  destination: string;
}

/** Dispositions that outlast the event; one of both members is there. */
export interface PersistentDisposition {
  /** Dispositions that hold from now on. */
  set?: Disposition[];
  /** Dispositions that hold no longer. */
  unset?: Disposition[];
}

/** Says that an earlier event is wrong. */
export interface ErrorDeclaration {
  /** When the error was declared: RFC 3339, with its zone. */
  declarationTime: string;
  reason?: ErrorReason;
  /** The events that say it right. */
  correctiveEventIDs?: string[];
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** What sensors measured. */
export interface SensorElement {
  sensorMetadata?: SensorMetadata;
  sensorReport: SensorReport[];
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** What all reports of a sensor element have in common. */
export interface SensorMetadata {
  /** When it was measured: RFC 3339, with its zone. */
  time?: string;
  /** The sensor, a URI. */
  deviceID?: string;
  /** Where the sensor is described, a URI. */
  deviceMetadata?: string;
  /** Where the data as measured are, a URI. */
  rawData?: string;
  /** When the measuring began: RFC 3339, with its zone. */
  startTime?: string;
  /** When the measuring ended: RFC 3339, with its zone. */
  endTime?: string;
  /** How the values were made from the data, a URI. */
  dataProcessingMethod?: string;
  /** The rules by which the values are judged, a URI. */
  bizRules?: string;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** One measurement, or an aggregate of several. */
export interface SensorReport {
  type: MeasurementType;
  exception?: SensorAlertType;
  /** The sensor, a URI. */
  deviceID?: string;
  /** Where the sensor is described, a URI. */
  deviceMetadata?: string;
  /** Where the data as measured are, a URI. */
  rawData?: string;
  /** How the values were made from the data, a URI. */
  dataProcessingMethod?: string;
  /** The rules by which the values are judged, a URI. */
  bizRules?: string;
  /** When it was measured: RFC 3339, with its zone. */
  time?: string;
  microorganism?: string;
  chemicalSubstance?: string;
  /** The system of the coordinates, a URI. */
  coordinateReferenceSystem?: string;
  value?: number;
  component?: Component;
  stringValue?: string;
  booleanValue?: boolean;
  hexBinaryValue?: string;
  uriValue?: string;
  minValue?: number;
  maxValue?: number;
  meanValue?: number;
  /** The standard deviation. */
  sDev?: number;
  /** The percentile rank, 0 to 100, of which `percValue` is the value. */
  percRank?: number;
  percValue?: number;
  /** The unit, a code of UN/CEFACT recommendation 20, such as `KGM` or `CEL`. */
  uom?: string;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Instance or lot master data: members of your own vocabulary. */
export interface Ilmd {
  [member: UserUri]: unknown;
}

/** Master data of one type. */
export interface Vocabulary {
  type: string;
  /** Master data: an entry for each thing. */
  vocabularyElementList?: VocabularyElement[];
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Master data of one thing. */
export interface VocabularyElement {
  id: string;
  /** The attributes of a master data entry. */
  attributes?: VocabularyAttribute[];
  children?: string[];
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** One attribute of a master data entry. */
export interface VocabularyAttribute {
  id: string;
  attribute?: number | string | object;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** The header of a document. */
export interface EPCISHeader {
  epcisMasterData?: {
    /** Master data, by type. */
    vocabularyList?: Vocabulary[];
    /** Extensions: names with a prefix that `@context` binds, or full URIs. */
    [extension: UserUri]: unknown;
  };
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** What every event has. */
export interface EventBase {
  /** The official context, and what binds the prefixes that are used. */
  '@context'?: Context;
  /** When it happened: RFC 3339, with its zone. */
  eventTime: string;
  /** When a repository recorded it; that one sets it. */
  recordTime?: string;
  /** The zone of the place where it happened, such as `+01:00`. */
  eventTimeZoneOffset: string;
  /** The name of the event, a URI; {@link hash} makes one from the content. */
  eventID?: string;
  /** A link, or several, to certificates about the event. */
  certificationInfo?: string[] | string;
  /** Says that the event with this `eventID` is wrong. */
  errorDeclaration?: ErrorDeclaration;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** What happened to objects. It needs `epcList`, `quantityList`, or `sensorElementList` with `readPoint`. */
export interface ObjectEvent extends EventBase {
  type: 'ObjectEvent';
  /** The instances: EPC URNs or GS1 Digital Link URIs. */
  epcList?: string[];
  /** Quantities of classes. */
  quantityList?: QuantityElement[];
  action: Action;
  bizStep?: BizStep;
  disposition?: Disposition;
  persistentDisposition?: PersistentDisposition;
  readPoint?: ReadPoint;
  bizLocation?: BizLocation;
  /** The business transactions that the event belongs to. */
  bizTransactionList?: BizTransaction[];
  /** Where a transfer begins: its owner, its holder, its place. */
  sourceList?: Source[];
  /** Where a transfer ends: its owner, its holder, its place. */
  destinationList?: Destination[];
  /** What sensors measured. */
  sensorElementList?: SensorElement[];
  /** Master data of the instances or lots that begin here. */
  ilmd?: Ilmd;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Objects are put into or taken out of a container. It needs `childEPCs` or `childQuantityList`, unless `action` is `DELETE`; and `parentID`, unless `action` is `OBSERVE`. */
export interface AggregationEvent extends EventBase {
  type: 'AggregationEvent';
  /** The container, or what the children belong to. */
  parentID?: string;
  /** The contained instances. */
  childEPCs?: string[];
  /** The contained quantities of classes. */
  childQuantityList?: QuantityElement[];
  action: Action;
  bizStep?: BizStep;
  disposition?: Disposition;
  readPoint?: ReadPoint;
  bizLocation?: BizLocation;
  /** The business transactions that the event belongs to. */
  bizTransactionList?: BizTransaction[];
  /** Where a transfer begins: its owner, its holder, its place. */
  sourceList?: Source[];
  /** Where a transfer ends: its owner, its holder, its place. */
  destinationList?: Destination[];
  /** What sensors measured. */
  sensorElementList?: SensorElement[];
  persistentDisposition?: PersistentDisposition;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Objects are tied to business transactions. It needs `epcList` or `quantityList`, unless `action` is `DELETE`. */
export interface TransactionEvent extends EventBase {
  type: 'TransactionEvent';
  /** The business transactions that the event belongs to. */
  bizTransactionList: BizTransaction[];
  /** The container, or what the children belong to. */
  parentID?: string;
  /** The instances: EPC URNs or GS1 Digital Link URIs. */
  epcList?: string[];
  /** Quantities of classes. */
  quantityList?: QuantityElement[];
  action: Action;
  bizStep?: BizStep;
  disposition?: Disposition;
  readPoint?: ReadPoint;
  bizLocation?: BizLocation;
  /** Where a transfer begins: its owner, its holder, its place. */
  sourceList?: Source[];
  /** Where a transfer ends: its owner, its holder, its place. */
  destinationList?: Destination[];
  /** What sensors measured. */
  sensorElementList?: SensorElement[];
  persistentDisposition?: PersistentDisposition;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Inputs become outputs. It needs an input and an output, or `transformationID` and one of both. */
export interface TransformationEvent extends EventBase {
  type: 'TransformationEvent';
  /** The instances that are used up. */
  inputEPCList?: string[];
  /** The quantities of classes that are used up. */
  inputQuantityList?: QuantityElement[];
  /** The instances that come into being. */
  outputEPCList?: string[];
  /** The quantities of classes that come into being. */
  outputQuantityList?: QuantityElement[];
  /** Ties several events to one transformation. */
  transformationID?: string;
  bizStep?: BizStep;
  disposition?: Disposition;
  persistentDisposition?: PersistentDisposition;
  readPoint?: ReadPoint;
  bizLocation?: BizLocation;
  /** The business transactions that the event belongs to. */
  bizTransactionList?: BizTransaction[];
  /** Where a transfer begins: its owner, its holder, its place. */
  sourceList?: Source[];
  /** Where a transfer ends: its owner, its holder, its place. */
  destinationList?: Destination[];
  /** What sensors measured. */
  sensorElementList?: SensorElement[];
  /** Master data of the instances or lots that begin here. */
  ilmd?: Ilmd;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Objects are tied to a place or a larger object. It needs `childEPCs` or `childQuantityList`, unless `action` is `DELETE`. */
export interface AssociationEvent extends EventBase {
  type: 'AssociationEvent';
  /** The container, or what the children belong to. */
  parentID: string;
  /** The contained instances. */
  childEPCs?: string[];
  /** The contained quantities of classes. */
  childQuantityList?: QuantityElement[];
  action: Action;
  bizStep?: BizStep;
  disposition?: Disposition;
  readPoint?: ReadPoint;
  bizLocation?: BizLocation;
  /** The business transactions that the event belongs to. */
  bizTransactionList?: BizTransaction[];
  /** Where a transfer begins: its owner, its holder, its place. */
  sourceList?: Source[];
  /** Where a transfer ends: its owner, its holder, its place. */
  destinationList?: Destination[];
  /** What sensors measured. */
  sensorElementList?: SensorElement[];
  persistentDisposition?: PersistentDisposition;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** An event of a type of your own. */
export interface ExtendedEvent extends EventBase {
  type: UserUri;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** Events to hand over. */
export interface EPCISDocument {
  id?: string;
  type: 'EPCISDocument';
  /** The official context, and what binds the prefixes that are used. */
  '@context': Context;
  /** The version of EPCIS, `2.0`. */
  schemaVersion: string;
  /** When the document was made: RFC 3339, with its zone. */
  creationDate: string;
  instanceIdentifier?: string;
  sender?: string;
  receiver?: string;
  epcisHeader?: EPCISHeader;
  /** The events, or what a query found. */
  epcisBody: {
    eventList: (EPCISEvent | ExtendedEvent)[];
    /** Extensions: names with a prefix that `@context` binds, or full URIs. */
    [extension: UserUri]: unknown;
  };
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** What a query found. */
export interface EPCISQueryDocument {
  /** The official context, and what binds the prefixes that are used. */
  '@context': Context;
  id?: string;
  type: 'EPCISQueryDocument';
  /** The version of EPCIS, `2.0`. */
  schemaVersion?: string;
  /** When the document was made: RFC 3339, with its zone. */
  creationDate?: string;
  /** The events, or what a query found. */
  epcisBody: EPCISQueryBody;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** The body of an {@link EPCISQueryDocument}. */
export interface EPCISQueryBody {
  queryResults: QueryResults;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** What one query found. */
export interface QueryResults {
  queryName: string;
  subscriptionID?: string;
  resultsBody: ResultsBody;
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** The events and master data that a query found. */
export interface ResultsBody {
  eventList: (EPCISEvent | ExtendedEvent)[];
  /** Master data, by type. */
  vocabularyList?: Vocabulary[];
  /** Extensions: names with a prefix that `@context` binds, or full URIs. */
  [extension: UserUri]: unknown;
}

/** An event of the standard; `type` tells which. */
export type EPCISEvent = ObjectEvent | AggregationEvent | TransactionEvent | TransformationEvent | AssociationEvent;

/** What stands at the top of an EPCIS file. */
export type EPCISRoot = EPCISDocument | EPCISQueryDocument | EPCISEvent | ExtendedEvent;
