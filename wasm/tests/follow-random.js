// Random chains of events over few identifiers, with a question: the same for the same seed.
import { randomNumbers } from '../../bench/random.ts';

const CLASS = 'https://id.gs1.org/01/09506000134352';
const START = Date.UTC(2024, 4, 1, 8);
const ZONES = [
  ['Z', 0],
  ['+02:00', 120],
  ['-05:00', -300],
  ['+05:30', 330],
];

export function randomCase(seed) {
  const random = randomNumbers(seed * 0x9e3779b1 + 0x1234567);
  for (let skip = 0; skip < 8; skip += 1) random();
  const chance = (share) => random() < share;
  const upTo = (limit) => Math.floor(random() * limit);
  const oneOf = (list) => list[upTo(list.length)];
  const some = (list, most, least = 0) => {
    const count = least + upTo(most - least + 1);
    return Array.from({ length: count }, () => oneOf(list));
  };
  const distinct = (list) => [...new Set(list)];
  const numbered = (name, count) => Array.from({ length: count }, (_, at) => `urn:x:${name}${at + 1}`);

  // ---- The world of this case ----

  const withClass = chance(0.1);
  const goods = numbered('item', 1 + upTo(3));
  const cases = numbered('case', 1 + upTo(3));
  const pallets = numbered('pallet', 1 + upTo(2));
  const sensors = numbered('sensor', 1);
  const lots = numbered('lot', 1 + upTo(3));
  if (withClass) {
    goods.push(`${CLASS}/21/S1`);
    lots.push(`${CLASS}/10/L1`, `${CLASS}/10/L2`, CLASS);
  }
  const instances = [...goods, ...cases, ...pallets, ...sensors];
  const length = chance(0.3) ? 1 + upTo(6) : 1 + upTo(30);
  const moments = oneOf([1, 2, 4, length, 2 * length]);
  const recordTimes = oneOf([0, 0, 0.3, 0.8]);
  const places = oneOf([0, 0.15, 0.4]);
  const withoutID = oneOf([0, 0.1, 0.5]);
  const wrong = oneOf([0, 0, 0.05, 0.2]);

  // ---- Pieces of events ----

  function timeIn(moment) {
    const [zone, minutes] = oneOf(ZONES);
    const local = new Date(START + moment * 60_000 + minutes * 60_000).toISOString();
    const fraction = chance(0.2) ? '.000' : '';
    return { text: `${local.slice(0, 19)}${fraction}${zone}`, zone: zone === 'Z' ? '+00:00' : zone };
  }

  function quantity(lot) {
    if (chance(0.2)) return { epcClass: lot };
    const element = { epcClass: lot, quantity: oneOf([1, 2, 3, 0.1, 0.2, 0.3, 0.5, 2.5, 10]) };
    if (chance(0.5)) element.uom = chance(0.8) ? 'KGM' : 'LTR';
    return element;
  }

  /** Sets a list, or leaves it out or empty if nothing is in it. */
  function setList(event, field, list) {
    if (list.length > 0 || chance(0.15)) event[field] = list;
  }

  const quantities = (most, least = 0) => some(lots, most, least).map(quantity);
  const action = () => oneOf(['ADD', 'ADD', 'ADD', 'OBSERVE', 'DELETE', 'DELETE']);

  function setDestinations(event) {
    if (!chance(places)) return;
    const list = [{ type: 'owning_party', destination: oneOf(['urn:x:north', 'urn:x:south']) }];
    if (chance(0.1)) list.push({ type: 'location', destination: 'urn:x:dock' });
    event.destinationList = list;
  }

  // ---- Events ----

  function packing(event) {
    event.action = action();
    const upper = chance(0.4);
    const parents = chance(0.75) ? (upper ? pallets : cases) : instances;
    const children = chance(0.75) ? (upper ? cases : goods) : instances;
    if (!chance(0.06)) event.parentID = oneOf(parents);
    const bare = event.action === 'DELETE' ? chance(0.3) : chance(0.04);
    let instancesIn = bare ? [] : distinct(some(children, 2));
    const lotsIn = bare ? [] : quantities(chance(0.5) ? 0 : 2);
    if (!bare && instancesIn.length + lotsIn.length === 0) instancesIn = [oneOf(children)];
    // A parent as its own child only once in a while.
    if (!chance(0.1)) instancesIn = instancesIn.filter((one) => one !== event.parentID);
    setList(event, 'childEPCs', instancesIn);
    setList(event, 'childQuantityList', lotsIn);
  }

  function association(event) {
    event.action = action();
    event.parentID = oneOf(chance(0.7) ? [...cases, ...pallets] : instances);
    const bare = event.action === 'DELETE' && chance(0.3);
    const children = distinct([oneOf(chance(0.7) ? sensors : instances), ...some(instances, 1)]);
    setList(event, 'childEPCs', bare ? [] : children.filter((one) => one !== event.parentID));
    if (!bare && chance(0.1)) event.childQuantityList = quantities(1, 1);
  }

  function transformation(event) {
    if (chance(0.4)) event.transformationID = oneOf(['urn:x:batch1', 'urn:x:batch2']);
    const inputs = distinct(some(chance(0.3) ? instances : goods, 2));
    const inputLots = quantities(2);
    const outputs = distinct(some(chance(0.3) ? instances : goods, 2));
    const outputLots = quantities(2);
    if (inputs.length > 0 && chance(0.1)) outputs.push(inputs[0]);
    if (inputLots.length > 0 && chance(0.1)) outputLots.push(quantity(inputLots[0].epcClass));
    if (inputs.length + inputLots.length + outputs.length + outputLots.length === 0) {
      inputLots.push(quantity(oneOf(lots)));
    }
    setList(event, 'inputEPCList', inputs);
    setList(event, 'inputQuantityList', inputLots);
    setList(event, 'outputEPCList', distinct(outputs));
    setList(event, 'outputQuantityList', outputLots);
  }

  function naming(event) {
    event.action = oneOf(['ADD', 'OBSERVE', 'OBSERVE', 'OBSERVE', 'DELETE']);
    const listed = distinct(some(instances, 2));
    const lotsIn = quantities(chance(0.6) ? 0 : 2);
    if (listed.length + lotsIn.length === 0) listed.push(oneOf(instances));
    setList(event, 'epcList', listed);
    setList(event, 'quantityList', lotsIn);
  }

  function transaction(event) {
    event.bizTransactionList = [{ type: 'po', bizTransaction: 'urn:x:order1' }];
    if (chance(0.4)) event.parentID = oneOf(instances);
    naming(event);
  }

  const kinds = [
    ['AggregationEvent', 10, packing],
    ['TransformationEvent', 4, transformation],
    ['ObjectEvent', 5, naming],
    ['AssociationEvent', oneOf([0, 1, 3]), association],
    ['TransactionEvent', 1, transaction],
  ].flatMap(([type, weight, fill]) => Array(weight).fill([type, fill]));

  let count = 0;
  function randomEvent() {
    const [type, fill] = oneOf(kinds);
    const event = { type };
    if (!chance(withoutID)) {
      count += 1;
      event.eventID = `urn:uuid:00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    }
    const { text, zone } = timeIn(upTo(moments));
    if (!chance(0.03)) event.eventTime = text;
    else if (chance(0.3)) event.eventTime = 'yesterday';
    event.eventTimeZoneOffset = zone;
    if (chance(recordTimes)) event.recordTime = timeIn(100 + upTo(3)).text;
    fill(event);
    setDestinations(event);
    return event;
  }

  function declarationOf(event) {
    const declaration = structuredClone(event);
    delete declaration.recordTime;
    if (chance(0.5)) declaration.recordTime = timeIn(200).text;
    if (chance(0.05)) delete declaration.eventID;
    declaration.errorDeclaration = { declarationTime: timeIn(200).text, reason: 'incorrect_data' };
    return declaration;
  }

  const events = [];
  while (events.length < length) {
    const declares = chance(wrong);
    const earlier = events.filter((event) => !event.errorDeclaration);
    if (!declares) events.push(randomEvent());
    else if (earlier.length === 0 || chance(0.3)) events.push(declarationOf(randomEvent()));
    else {
      const declaration = declarationOf(oneOf(earlier));
      // Sometimes it is captured before its event.
      if (chance(0.2)) events.splice(upTo(events.length), 0, declaration);
      else events.push(declaration);
    }
  }

  // ---- The question ----

  const request = { items: distinct(some([...instances, ...lots], 3, 1)) };
  if (chance(0.08)) request.items.push('urn:x:nobody');
  if (chance(0.02)) request.items = ['urn:x:nobody'];
  if (withClass && chance(0.5)) request.items.push(CLASS);
  request.items = distinct(request.items);
  if (chance(0.2)) request.kin = chance(0.9);
  if (!request.kin && chance(0.65)) request.direction = oneOf(['back', 'forth', 'both']);
  if (request.kin === false && request.direction) delete request.kin;
  if (chance(0.25)) request.from = timeIn(upTo(moments)).text;
  if (chance(0.25)) request.to = timeIn(1 + upTo(moments)).text;
  if (request.from && request.to && Date.parse(request.from) >= Date.parse(request.to)) delete request.from;
  if (chance(0.5)) request.depth = 1 + upTo(4);
  if (chance(0.4)) {
    const ties = ['packing', 'transformation', 'association'].filter(() => chance(0.6));
    if (ties.length > 0) request.through = ties;
  }
  if (chance(0.6)) request.contents = oneOf(['listed', 'followed', 'followed', 'none']);

  return { events, request };
}
