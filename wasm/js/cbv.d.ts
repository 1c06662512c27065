// Made by scripts/types.mjs from the official schema: change nothing here.

/** What an event says of its objects or relations (EPCIS 2.0, 7.3.2). */
export const Action: {
  /** the event tells of objects or a relation that exist, and changes neither */
  readonly OBSERVE: 'OBSERVE';
  /** objects come into being, or a relation is made */
  readonly ADD: 'ADD';
  /** objects cease to be, or a relation is ended */
  readonly DELETE: 'DELETE';
};
export type Action = (typeof Action)[keyof typeof Action];

/** A business step: a standard word, or the URI of a word of your own. */
export const BizStep: {
  /** a place takes possession, ownership or both of an object */
  readonly accepting: 'accepting';
  /** a shipment comes in at a place and is not yet received */
  readonly arriving: 'arriving';
  /** objects are joined to a new one, and stay recognisable in it */
  readonly assembling: 'assembling';
  /** objects are picked up and gathered for disposal or reuse */
  readonly collecting: 'collecting';
  /** an identifier is given to an object for the first time */
  readonly commissioning: 'commissioning';
  /** a shipment leaves, and possession or ownership is handed over with it: several steps of shipping as one */
  readonly consigning: 'consigning';
  /** a quantity of a class, such as a lot, is made or first identified */
  readonly creating_class_instance: 'creating_class_instance';
  /** part of a stock is counted, without closing the books */
  readonly cycle_counting: 'cycle_counting';
  /** an identifier is taken off an object, which may get another */
  readonly decommissioning: 'decommissioning';
  /** a shipment leaves a place on its way to another */
  readonly departing: 'departing';
  /** an object is made unusable for good */
  readonly destroying: 'destroying';
  /** an object is taken apart into its components */
  readonly disassembling: 'disassembling';
  /** part or all of a product is handed to a patient or consumer, out of its pack */
  readonly dispensing: 'dispensing';
  /** an identifier is written into a barcode or a tag */
  readonly encoding: 'encoding';
  /** an object goes in or out at the door of a place, such as a shop */
  readonly entering_exiting: 'entering_exiting';
  /** an object is set aside and kept from further steps */
  readonly holding: 'holding';
  /** an object is looked over for its quality or its state */
  readonly inspecting: 'inspecting';
  /** an object is put in a larger one, from which it can be taken again */
  readonly installing: 'installing';
  /** a tag is made unreadable for good */
  readonly killing: 'killing';
  /** objects are put into a means of transport */
  readonly loading: 'loading';
  /** a step that no other word of the list describes */
  readonly other: 'other';
  /** objects are put into a larger container, as a rule for shipping */
  readonly packing: 'packing';
  /** objects are taken from stock to fill an order */
  readonly picking: 'picking';
  /** objects are taken in at a place, and added to its stock */
  readonly receiving: 'receiving';
  /** an object is taken out of a larger one in which it was installed */
  readonly removing: 'removing';
  /** the packaging of an object is changed */
  readonly repackaging: 'repackaging';
  /** a fault of an object is mended, and its identity is kept */
  readonly repairing: 'repairing';
  /** an object is put in the place of another */
  readonly replacing: 'replacing';
  /** identifiers are set aside, for another party to use */
  readonly reserving: 'reserving';
  /** objects are sold to a consumer at a point of sale */
  readonly retail_selling: 'retail_selling';
  /** staging, loading and departing as one: objects leave for another place */
  readonly shipping: 'shipping';
  /** picked objects wait for loading */
  readonly staging_outbound: 'staging_outbound';
  /** a whole stock is counted, for the books */
  readonly stock_taking: 'stock_taking';
  /** objects are put where customers or orders are served from */
  readonly stocking: 'stocking';
  /** objects are put into a storage area */
  readonly storing: 'storing';
  /** objects are on their way in a means of transport */
  readonly transporting: 'transporting';
  /** objects are taken out of a means of transport */
  readonly unloading: 'unloading';
  /** objects are taken out of a container */
  readonly unpacking: 'unpacking';
  /** a shipment that was told is declared not to have happened, all of it or in part */
  readonly void_shipping: 'void_shipping';
  /** sensor data are reported, and nothing else happens */
  readonly sensor_reporting: 'sensor_reporting';
  /** a part of an object is taken for tests, or to keep */
  readonly sampling: 'sampling';
};
export type BizStep = (typeof BizStep)[keyof typeof BizStep];

/** A disposition: a standard word, or the URI of a word of your own. */
export const Disposition: {
  /** an object that was just commissioned goes on its way */
  readonly active: 'active';
  /** a container is full and shut */
  readonly container_closed: 'container_closed';
  /** an object is impaired and not to be used as it is */
  readonly damaged: 'damaged';
  /** an object was made unusable for good */
  readonly destroyed: 'destroyed';
  /** all of a product was handed to a patient or consumer */
  readonly dispensed: 'dispensed';
  /** an object was handed over for disposal */
  readonly disposed: 'disposed';
  /** an identifier was written and is not yet commissioned */
  readonly encoded: 'encoded';
  /** an object is past the date until which it may be used */
  readonly expired: 'expired';
  /** an object goes through its steps as usual */
  readonly in_progress: 'in_progress';
  /** an object is on its way between two places or parties */
  readonly in_transit: 'in_transit';
  /** an object was decommissioned; its identifier may be given again */
  readonly inactive: 'inactive';
  /** the shipment and its pedigree contradict each other */
  readonly no_pedigree_match: 'no_pedigree_match';
  /** an object must not be sold, for a reason that no other word says */
  readonly non_sellable_other: 'non_sellable_other';
  /** part of a product was handed out, and the rest is kept */
  readonly partially_dispensed: 'partially_dispensed';
  /** an object is subject to a recall and must not be sold */
  readonly recalled: 'recalled';
  /** an identifier is set aside for another party and not yet commissioned */
  readonly reserved: 'reserved';
  /** an object was sold to a consumer */
  readonly retail_sold: 'retail_sold';
  /** an object came back from the party to which it was sent or sold */
  readonly returned: 'returned';
  /** an object can be sold, and a customer can reach it */
  readonly sellable_accessible: 'sellable_accessible';
  /** an object can be sold, and a customer cannot reach it */
  readonly sellable_not_accessible: 'sellable_not_accessible';
  /** an object was taken without permission */
  readonly stolen: 'stolen';
  /** nobody knows in which state the object is */
  readonly unknown: 'unknown';
  /** an object can be used, or used again, at its place */
  readonly available: 'available';
  /** all contents of a container were read and are there */
  readonly completeness_verified: 'completeness_verified';
  /** all contents of a container are assumed to be there, without reading them */
  readonly completeness_inferred: 'completeness_inferred';
  /** an object was inspected and meets what is asked of it */
  readonly conformant: 'conformant';
  /** a container is open, and contents may go in and out */
  readonly container_open: 'container_open';
  /** what was found is another instance than what was expected */
  readonly mismatch_instance: 'mismatch_instance';
  /** what was found is of another class than what was expected */
  readonly mismatch_class: 'mismatch_class';
  /** what was found is more or less than what was expected */
  readonly mismatch_quantity: 'mismatch_quantity';
  /** an object is in use and is to be replaced */
  readonly needs_replacement: 'needs_replacement';
  /** an object was inspected and does not meet what is asked of it */
  readonly non_conformant: 'non_conformant';
  /** an object cannot be used at present, for example because it is under repair */
  readonly unavailable: 'unavailable';
};
export type Disposition = (typeof Disposition)[keyof typeof Disposition];

/** The type of a business transaction. */
export const BizTransactionType: {
  /** bill of lading: the carrier's receipt for what it transports */
  readonly bol: 'bol';
  /** certificate: a statement that something meets a standard */
  readonly cert: 'cert';
  /** despatch advice: the sender's notice of what a shipment holds */
  readonly desadv: 'desadv';
  /** invoice: the seller's claim for payment */
  readonly inv: 'inv';
  /** pedigree: the record of who had an object before */
  readonly pedigree: 'pedigree';
  /** purchase order: the buyer's order */
  readonly po: 'po';
  /** purchase order confirmation: the seller's answer to an order */
  readonly poc: 'poc';
  /** production order: an order to make something in one's own house */
  readonly prodorder: 'prodorder';
  /** receiving advice: the receiver's notice of what has arrived */
  readonly recadv: 'recadv';
  /** return merchandise authorisation: the seller's consent to a return */
  readonly rma: 'rma';
  /** test procedure: how something is tested */
  readonly testprd: 'testprd';
  /** test result: what a test has shown */
  readonly testres: 'testres';
  /** upstream event: an event of an earlier step, named by its eventID */
  readonly upevt: 'upevt';
};
export type BizTransactionType = (typeof BizTransactionType)[keyof typeof BizTransactionType];

/** The type of a source or destination. */
export const SourceDestType: {
  /** who owns the objects at that end of the transfer */
  readonly owning_party: 'owning_party';
  /** who has the objects at that end of the transfer */
  readonly possessing_party: 'possessing_party';
  /** where the transfer begins or ends */
  readonly location: 'location';
};
export type SourceDestType = (typeof SourceDestType)[keyof typeof SourceDestType];

/** Why an event is declared wrong. */
export const ErrorReason: {
  /** the event did not happen */
  readonly did_not_occur: 'did_not_occur';
  /** the event happened, and some of what it says is wrong */
  readonly incorrect_data: 'incorrect_data';
};
export type ErrorReason = (typeof ErrorReason)[keyof typeof ErrorReason];

/** Which component of a vector or position a value is. */
export const Component: {
  /** along the x axis */
  readonly x: 'x';
  /** along the y axis */
  readonly y: 'y';
  /** along the z axis */
  readonly z: 'z';
  /** distance from the axis, in cylindrical coordinates */
  readonly axial_distance: 'axial_distance';
  /** angle around the axis, in cylindrical or spherical coordinates */
  readonly azimuth: 'azimuth';
  /** height along the axis, in cylindrical coordinates */
  readonly height: 'height';
  /** distance from the origin, in spherical coordinates */
  readonly spherical_radius: 'spherical_radius';
  /** angle from the zenith, in spherical coordinates */
  readonly polar_angle: 'polar_angle';
  /** angle above the horizon, in spherical coordinates */
  readonly elevation_angle: 'elevation_angle';
  /** distance to the east, in a projected coordinate system */
  readonly easting: 'easting';
  /** distance to the north, in a projected coordinate system */
  readonly northing: 'northing';
  /** angle north of the equator; south is negative */
  readonly latitude: 'latitude';
  /** angle east of the prime meridian; west is negative */
  readonly longitude: 'longitude';
  /** height above the surface of reference */
  readonly altitude: 'altitude';
};
export type Component = (typeof Component)[keyof typeof Component];

/** What a sensor measured. */
export const MeasurementType: {
  /** mass of water vapour in a volume of air; SI unit kg/m³ */
  readonly AbsoluteHumidity: 'AbsoluteHumidity';
  /** energy of radiation taken up by a mass; SI unit gray */
  readonly AbsorbedDose: 'AbsorbedDose';
  /** absorbed dose in a time; SI unit gray per second */
  readonly AbsorbedDoseRate: 'AbsorbedDoseRate';
  /** change of velocity in a time; SI unit m/s² */
  readonly Acceleration: 'Acceleration';
  /** decays in a time; SI unit becquerel */
  readonly Radioactivity: 'Radioactivity';
  /** height above a surface of reference; SI unit metre */
  readonly Altitude: 'Altitude';
  /** how many elementary entities there are; SI unit mole */
  readonly AmountOfSubstance: 'AmountOfSubstance';
  /** amount of substance in a volume; SI unit mol/m³ */
  readonly AmountOfSubstancePerUnitVolume: 'AmountOfSubstancePerUnitVolume';
  /** plane angle; SI unit radian */
  readonly Angle: 'Angle';
  /** change of angular velocity in a time; SI unit rad/s² */
  readonly AngularAcceleration: 'AngularAcceleration';
  /** momentum of a rotation; SI unit kg·m²/s */
  readonly AngularMomentum: 'AngularMomentum';
  /** angle that is turned in a time; SI unit rad/s */
  readonly AngularVelocity: 'AngularVelocity';
  /** extent of a surface; SI unit m² */
  readonly Area: 'Area';
  /** electric charge that is held by a voltage; SI unit farad */
  readonly Capacitance: 'Capacitance';
  /** how easily a current flows through a thing; SI unit siemens */
  readonly Conductance: 'Conductance';
  /** how easily a current flows in a material; SI unit siemens per metre */
  readonly Conductivity: 'Conductivity';
  /** a number of things */
  readonly Count: 'Count';
  /** mass of a volume; SI unit kg/m³ */
  readonly Density: 'Density';
  /** a number without a unit, such as a ratio */
  readonly Dimensionless: 'Dimensionless';
  /** absorbed dose, weighted by what it does to tissue; SI unit sievert */
  readonly DoseEquivalent: 'DoseEquivalent';
  /** dose equivalent in a time; SI unit sievert per second */
  readonly DoseEquivalentRate: 'DoseEquivalentRate';
  /** resistance of a fluid to shear; SI unit pascal second */
  readonly DynamicViscosity: 'DynamicViscosity';
  /** electric charge; SI unit coulomb */
  readonly ElectricCharge: 'ElectricCharge';
  /** charge that flows in a time; SI unit ampere */
  readonly ElectricCurrent: 'ElectricCurrent';
  /** current through an area; SI unit A/m² */
  readonly ElectricCurrentDensity: 'ElectricCurrentDensity';
  /** force on an electric charge; SI unit volt per metre */
  readonly ElectricFieldStrength: 'ElectricFieldStrength';
  /** energy, work or heat; SI unit joule */
  readonly Energy: 'Energy';
  /** charge set free in a mass of air by radiation; SI unit C/kg */
  readonly Exposure: 'Exposure';
  /** what changes the motion of a mass; SI unit newton */
  readonly Force: 'Force';
  /** how often something happens in a time; SI unit hertz */
  readonly Frequency: 'Frequency';
  /** luminous flux on an area; SI unit lux */
  readonly Illuminance: 'Illuminance';
  /** voltage induced by the change of a current; SI unit henry */
  readonly Inductance: 'Inductance';
  /** radiant flux on an area; SI unit W/m² */
  readonly Irradiance: 'Irradiance';
  /** dynamic viscosity divided by density; SI unit m²/s */
  readonly KinematicViscosity: 'KinematicViscosity';
  /** distance from end to end; SI unit metre */
  readonly Length: 'Length';
  /** mass times velocity; SI unit kg·m/s */
  readonly LinearMomentum: 'LinearMomentum';
  /** luminous intensity of an area; SI unit cd/m² */
  readonly Luminance: 'Luminance';
  /** light that is given off, as the eye sees it; SI unit lumen */
  readonly LuminousFlux: 'LuminousFlux';
  /** luminous flux in a direction; SI unit candela */
  readonly LuminousIntensity: 'LuminousIntensity';
  /** magnetic field through an area; SI unit weber */
  readonly MagneticFlux: 'MagneticFlux';
  /** strength of a magnetic field; SI unit tesla */
  readonly MagneticFluxDensity: 'MagneticFluxDensity';
  /** vector potential of a magnetic field; SI unit weber per metre */
  readonly MagneticVectorPotential: 'MagneticVectorPotential';
  /** mass, in daily life called weight; SI unit kilogram */
  readonly Mass: 'Mass';
  /** mass of a substance in a volume of a mixture; SI unit kg/m³ */
  readonly MassConcentration: 'MassConcentration';
  /** mass that flows in a time; SI unit kg/s */
  readonly MassFlowRate: 'MassFlowRate';
  /** mass that passes an area in a time; SI unit kg/(m²·s) */
  readonly MassPerAreaTime: 'MassPerAreaTime';
  /** how much data a memory holds; unit byte */
  readonly MemoryCapacity: 'MemoryCapacity';
  /** amount of a solute for a mass of solvent; SI unit mol/kg */
  readonly MolalityOfSolute: 'MolalityOfSolute';
  /** energy of an amount of substance; SI unit J/mol */
  readonly MolarEnergy: 'MolarEnergy';
  /** mass of an amount of substance; SI unit kg/mol */
  readonly MolarMass: 'MolarMass';
  /** volume of an amount of substance; SI unit m³/mol */
  readonly MolarVolume: 'MolarVolume';
  /** energy in a time; SI unit watt */
  readonly Power: 'Power';
  /** force on an area; SI unit pascal */
  readonly Pressure: 'Pressure';
  /** power that is given off as radiation; SI unit watt */
  readonly RadiantFlux: 'RadiantFlux';
  /** radiant flux in a direction; SI unit W/sr */
  readonly RadiantIntensity: 'RadiantIntensity';
  /** water vapour in the air as a part of what it can hold at its temperature; as a rule in per cent */
  readonly RelativeHumidity: 'RelativeHumidity';
  /** how much a thing hinders a current; SI unit ohm */
  readonly Resistance: 'Resistance';
  /** how much a material hinders a current; SI unit ohm metre */
  readonly Resistivity: 'Resistivity';
  /** part of the space around a point; SI unit steradian */
  readonly SolidAngle: 'SolidAngle';
  /** volume of a mass; SI unit m³/kg */
  readonly SpecificVolume: 'SpecificVolume';
  /** distance that is covered in a time; SI unit m/s */
  readonly Speed: 'Speed';
  /** mass of an area; SI unit kg/m² */
  readonly SurfaceDensity: 'SurfaceDensity';
  /** force along the edge of a surface; SI unit N/m */
  readonly SurfaceTension: 'SurfaceTension';
  /** how hot something is; SI unit kelvin */
  readonly Temperature: 'Temperature';
  /** a duration; SI unit second */
  readonly Time: 'Time';
  /** turning effect of a force; SI unit newton metre */
  readonly Torque: 'Torque';
  /** difference of electric potential; SI unit volt */
  readonly Voltage: 'Voltage';
  /** extent in space; SI unit m³ */
  readonly Volume: 'Volume';
  /** volume that flows in a time; SI unit m³/s */
  readonly VolumeFlowRate: 'VolumeFlowRate';
  /** volume of a part as a part of the whole; without a unit */
  readonly VolumeFraction: 'VolumeFraction';
  /** volume that passes an area in a time; SI unit m/s */
  readonly VolumetricFlux: 'VolumetricFlux';
  /** waves in a length; SI unit 1/m */
  readonly Wavenumber: 'Wavenumber';
};
export type MeasurementType = (typeof MeasurementType)[keyof typeof MeasurementType];

/** Which exception a sensor reports. */
export const SensorAlertType: {
  /** what was measured is outside of the range that was set */
  readonly ALARM_CONDITION: 'ALARM_CONDITION';
  /** the sensor did not measure as it should */
  readonly ERROR_CONDITION: 'ERROR_CONDITION';
};
export type SensorAlertType = (typeof SensorAlertType)[keyof typeof SensorAlertType];

/** The lists, with the types of their words. */
export interface Lists {
  readonly Action: Action;
  readonly BizStep: BizStep;
  readonly Disposition: Disposition;
  readonly BizTransactionType: BizTransactionType;
  readonly SourceDestType: SourceDestType;
  readonly ErrorReason: ErrorReason;
  readonly Component: Component;
  readonly MeasurementType: MeasurementType;
  readonly SensorAlertType: SensorAlertType;
}

/**
 * What each word means, in one line: by list, by word.
 *
 * @example
 * ```js
 * import { BizStep, meanings } from 'epcis-edge/cbv';
 *
 * assert.equal(BizStep.shipping, 'shipping');
 * assert.match(meanings.BizStep.shipping, /objects leave for another place/);
 * ```
 */
export const meanings: { readonly [List in keyof Lists]: { readonly [Word in Lists[List]]: string } };

/**
 * The word of a list that a value is, in whichever spelling: bare, URN, web URI or CURIE; `undefined` for what is none of its words.
 *
 * @throws {TypeError} for a list that is none, and for a value that is no string.
 *
 * @example
 * ```js
 * import { wordOf } from 'epcis-edge/cbv';
 *
 * assert.equal(wordOf('BizStep', 'urn:epcglobal:cbv:bizstep:shipping'), 'shipping');
 * assert.equal(wordOf('Disposition', 'https://ref.gs1.org/cbv/Disp-in_transit'), 'in_transit');
 * assert.equal(wordOf('BizStep', 'shiping'), undefined);
 * ```
 */
export function wordOf<List extends keyof Lists>(list: List, value: string): Lists[List] | undefined;
