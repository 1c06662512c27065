// A slow second implementation of docs/follow-rules.md: the referee for the engine's answers.
// It is written as definitions and recomputes freely. Events are told by their index in the
// input. "Position" is the place of an event in the order of time.

const FIELDS = {
  ObjectEvent: ['epcList', 'quantityList'],
  TransactionEvent: ['epcList', 'quantityList', 'parentID'],
  AggregationEvent: ['parentID', 'childEPCs', 'childQuantityList'],
  AssociationEvent: ['parentID', 'childEPCs', 'childQuantityList'],
  TransformationEvent: ['inputEPCList', 'inputQuantityList', 'outputEPCList', 'outputQuantityList'],
  QuantityEvent: ['epcClass'],
};
const INPUTS = ['inputEPCList', 'inputQuantityList'];
const OUTPUTS = ['outputEPCList', 'outputQuantityList'];
const KIND_OF_EVENT = { AggregationEvent: 'packing', AssociationEvent: 'association' };
const DIRECTIONS = ['forth', 'back'];

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const isName = (value) => typeof value === 'string' && value !== '';
const listOf = (value) => (Array.isArray(value) ? value : []);

// ---- Times, quantities, names of events ----

/** An RFC 3339 time as 10^-18 seconds, or null if it is not readable. */
function instant(text) {
  const parts = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/.exec(text ?? '');
  if (!parts) return null;
  const seconds = Date.parse(`${parts[1]}T${parts[2]}${parts[4].toUpperCase()}`);
  if (Number.isNaN(seconds)) return null;
  return BigInt(seconds) * 10n ** 15n + BigInt((parts[3] ?? '').padEnd(18, '0').slice(0, 18));
}

/** A number as an exact multiple of 10^-40. */
function decimal(number) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(number));
  const power = 40 - fraction.length + Number(exponent);
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(power);
}

/** The amount that an element of a list of quantities states, or null: unknown. */
function amountOf(element) {
  if (typeof element.quantity !== 'number') return null;
  return { value: decimal(element.quantity), unit: element.uom ?? '' };
}

/** Adds two amounts; unknown if one is, or if their units differ. */
function sum(a, b) {
  if (!a || !b || a.unit !== b.unit) return null;
  return { value: a.value + b.value, unit: a.unit };
}

/** The content without spelling: order of members and lists, time zone of times. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).sort(byText).join()}]`;
  if (value && typeof value === 'object') {
    const members = Object.keys(value)
      .filter((key) => !(Array.isArray(value[key]) && value[key].length === 0))
      .sort(byText);
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
  }
  const time = typeof value === 'string' ? instant(value) : null;
  return time === null ? JSON.stringify(value) : `time ${time}`;
}

/** What an error declaration and the event that it declares wrong have in common. */
function nameOfEvent(event) {
  if (isName(event.eventID)) return `id ${event.eventID}`;
  const { eventID, recordTime, errorDeclaration, ...content } = event;
  return `content ${canonical(content)}`;
}

// ---- What one event says ----

/** Each thing in a field of the event: `{ id, role, element? }`. */
function entriesOf(event, role) {
  const value = event[role];
  if (role === 'epcClass') return isName(value) ? [{ id: value, role, element: event }] : [];
  if (role === 'parentID') return isName(value) ? [{ id: value, role }] : [];
  if (!/quantity/i.test(role))
    return listOf(value)
      .filter(isName)
      .map((id) => ({ id, role }));
  return listOf(value)
    .filter((element) => isName(element?.epcClass))
    .map((element) => ({ id: element.epcClass, role, element }));
}

const namesIn = (event) => (FIELDS[event.type] ?? []).flatMap((role) => entriesOf(event, role));

const idsIn = (event, roles) => (event.type === 'TransformationEvent' ? [...new Set(roles.flatMap((role) => entriesOf(event, role)).map(({ id }) => id))] : []);

export function followSlowly(events, request) {
  const items = [...new Set(request.items)];
  const kin = request.kin === true;
  const direction = kin ? 'both' : (request.direction ?? 'both');
  const depth = request.depth ?? 32;
  const through = request.through ?? ['packing', 'transformation'];
  const contentsWanted = request.contents ?? 'listed';
  const from = request.from === undefined ? null : instant(request.from);
  const to = request.to === undefined ? null : instant(request.to);

  // ---- Order ----

  const compareTimes = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  // An event that was there before, by its `eventID` and its content, counts once.
  const saying = ({ recordTime, ...rest }) => canonical(rest);
  const isPlain = (event) => event.errorDeclaration === undefined;
  const isRepeated = (event, index) => isPlain(event) && events.slice(0, index).some((other) => isPlain(other) && saying(other) === saying(event));
  const order = events
    .map((event, index) => ({
      event,
      index,
      time: instant(event.eventTime),
      recorded: instant(event.recordTime),
    }))
    .filter(({ event, index }) => !isRepeated(event, index))
    .sort((a, b) => {
      if ((a.time === null) !== (b.time === null)) return a.time === null ? 1 : -1;
      if (a.time !== null && a.time !== b.time) return compareTimes(a.time, b.time);
      if ((a.recorded === null) !== (b.recorded === null)) return a.recorded === null ? -1 : 1;
      if (a.recorded !== b.recorded) return compareTimes(a.recorded, b.recorded);
      return a.index - b.index;
    });
  const positions = order.map((_, at) => at);
  const eventAt = (at) => order[at].event;

  const inTime = (at) => {
    const { time } = order[at];
    if (from === null && to === null) return true;
    if (time === null) return false;
    return (from === null || time >= from) && (to === null || time < to);
  };

  // ---- Withdrawn events ----

  const isDeclaration = (event) => Boolean(event.errorDeclaration);
  const declaredWrong = new Set(events.filter(isDeclaration).map(nameOfEvent));
  const captured = new Set(events.filter((event) => !isDeclaration(event)).map(nameOfEvent));

  /** Whether the event has effects. */
  const counts = (at) => !isDeclaration(eventAt(at)) && !declaredWrong.has(nameOfEvent(eventAt(at)));
  /** Whether the event may be listed: all but declarations whose event is there. */
  const mayBeListed = (at) => !(isDeclaration(eventAt(at)) && captured.has(nameOfEvent(eventAt(at))));

  const counting = positions.filter(counts);

  // ---- Things ----

  const lots = new Set();
  for (const event of events) {
    for (const { id, element } of namesIn(event)) if (element) lots.add(id);
  }
  const isLot = (id) => lots.has(id);

  const named = new Set(events.flatMap((event) => namesIn(event).map(({ id }) => id)));
  const isClass = (id) => /^https:\/\/id\.gs1\.org\/01\/\d{14}$/.test(id);
  const asked = new Set(items);
  for (const item of items.filter(isClass)) {
    for (const id of named)
      if (id.startsWith(`${item}/`) && positions.some((at) => inTime(at) && namesIn(eventAt(at)).some((one) => one.id === id))) asked.add(id);
  }

  // ---- Containment ----

  /**
   * What is inside of what after the event at `last`, replayed from the start, and every change
   * on the way. A change is `{ at, kind, child, parent, what, observed, implied, element }`.
   */
  function replay(last) {
    let inside = [];
    const changes = [];

    const find = (kind, child, parent) => inside.find((one) => one.kind === kind && one.child === child && one.parent === parent);
    const put = (at, kind, child, parent, amount, observed, element) => {
      inside.push({ kind, child, parent, amount });
      changes.push({ at, kind, child, parent, what: 'in', observed, element });
    };
    const take = (at, one, implied, element) => {
      inside = inside.filter((other) => other !== one);
      changes.push({ at, kind: one.kind, child: one.child, parent: one.parent, what: 'out', implied, element });
    };

    function putInstance(at, kind, child, parent, observed) {
      if (find(kind, child, parent)) return;
      for (const one of inside.filter((one) => one.kind === kind && one.child === child)) {
        take(at, one, true);
      }
      put(at, kind, child, parent, null, observed);
    }

    function putLot(at, kind, child, parent, element, observed) {
      const there = find(kind, child, parent);
      if (!there) put(at, kind, child, parent, amountOf(element), observed, element);
      else if (!observed) {
        there.amount = sum(there.amount, amountOf(element));
        changes.push({ at, kind, child, parent, what: 'more', element });
      }
    }

    function takeLot(at, kind, child, parent, element) {
      const there = find(kind, child, parent);
      if (!there) return;
      const amount = amountOf(element);
      if (element.quantity === undefined) return take(at, there, false, element);
      const left = sum(there.amount, amount && { value: -amount.value, unit: amount.unit });
      if (left && left.value <= 0n) return take(at, there, false, element);
      there.amount = left;
      changes.push({ at, kind, child, parent, what: 'less', element });
    }

    function aggregate(at, event, kind) {
      const parent = event.parentID;
      if (!isName(parent)) return;
      const children = [...entriesOf(event, 'childEPCs'), ...entriesOf(event, 'childQuantityList')];
      if (event.action === 'DELETE' && children.length === 0) {
        for (const one of inside.filter((one) => one.kind === kind && one.parent === parent)) {
          take(at, one, false);
        }
      }
      for (const { id: child, element } of children) {
        if (child === parent) continue;
        if (event.action === 'DELETE') {
          const there = find(kind, child, parent);
          if (isLot(child)) takeLot(at, kind, child, parent, element ?? {});
          else if (there) take(at, there, false);
        } else if (event.action === 'ADD' || event.action === 'OBSERVE') {
          const observed = event.action === 'OBSERVE';
          if (isLot(child)) putLot(at, kind, child, parent, element ?? {}, observed);
          else putInstance(at, kind, child, parent, observed);
        }
      }
    }

    for (const at of counting.filter((at) => at <= last)) {
      const event = eventAt(at);
      const kind = KIND_OF_EVENT[event.type];
      if (kind) aggregate(at, event, kind);
      const isEnd = event.type === 'ObjectEvent' && event.action === 'DELETE';
      for (const ended of isEnd ? entriesOf(event, 'epcList').map(({ id }) => id) : idsIn(event, ['inputEPCList'])) {
        if (isLot(ended)) continue;
        for (const one of inside.filter((one) => one.child === ended)) take(at, one, true);
      }
    }
    return { inside, changes };
  }

  const allChanges = replay(order.length - 1).changes;
  const changes = allChanges.filter(({ kind }) => through.includes(kind));

  /** The pairs of child and parent of which the event at `at` belongs to the time inside. */
  const pairsAt = positions.map((at) => {
    const pairs = [...replay(at - 1).inside, ...replay(at).inside];
    return pairs.filter(({ kind }) => through.includes(kind));
  });

  /** The times inside: `{ child, parent, start, end?, observed, implied }`, ends included. */
  const stays = [];
  for (const change of changes) {
    const { kind, child, parent, at } = change;
    if (change.what === 'in') {
      stays.push({ kind, child, parent, start: at, observed: change.observed });
    }
    if (change.what === 'out') {
      const stay = stays.find((one) => one.kind === kind && one.child === child && one.parent === parent && one.end === undefined);
      stay.end = at;
      stay.implied = change.implied;
    }
  }

  /**
   * The thing and each container around it at `at`, with the number of containers up to it.
   * Steps lead only from things that `may` pass.
   */
  function around(thing, at, may) {
    const levels = new Map([[thing, 0]]);
    for (const [child, level] of levels) {
      if (!may(child)) continue;
      for (const pair of pairsAt[at]) {
        if (pair.child === child && !levels.has(pair.parent)) levels.set(pair.parent, level + 1);
      }
    }
    return levels;
  }

  /** The shortest ways from the thing to the container, each from outermost to innermost. */
  function shortestWays(thing, container, at) {
    const levels = around(thing, at, () => true);
    const waysTo = (one) => {
      if (one === thing) return [[]];
      const below = pairsAt[at].filter(({ child, parent }) => parent === one && levels.has(child) && levels.get(child) === levels.get(one) - 1);
      return below.flatMap(({ child }) => waysTo(child).map((way) => [one, ...way]));
    };
    return waysTo(container);
  }

  const wholeEnd = (end) => end ?? order.length - 1;

  /** What was inside of the container: a row for each chain of containers and time. */
  function rowsOf(container) {
    const rows = new Map();
    const descend = (chain, span) => {
      for (const stay of stays) {
        if (stay.parent !== chain.at(-1) || chain.includes(stay.child)) continue;
        const parts = [...span, stay];
        const start = Math.max(...parts.map((part) => part.start));
        const ends = parts.filter((part) => part.end !== undefined).map((part) => part.end);
        const end = ends.length ? Math.min(...ends) : undefined;
        if (start > wholeEnd(end)) continue;
        const row = {
          container,
          item: stay.child,
          between: chain.slice(1),
          distance: chain.length,
          start,
          end,
          observed: parts.filter((part) => part.start === start).every((part) => part.observed),
          implied: end !== undefined && parts.filter((part) => part.end === end).every((part) => part.implied),
        };
        rows.set(JSON.stringify([row.item, row.between, start, end ?? null]), row);
        descend([...chain, stay.child], parts);
      }
    };
    descend([container], []);
    return [...rows.values()];
  }
  const everyThing = [...new Set([...named, ...asked])].sort(byText);
  const rowsByContainer = new Map(everyThing.map((thing) => [thing, rowsOf(thing)]));

  // ---- Transformations ----

  const transformationAt = (at) => {
    const event = eventAt(at);
    if (!counts(at) || event.type !== 'TransformationEvent') return null;
    const places = isName(event.transformationID)
      ? counting.filter((other) => eventAt(other).type === 'TransformationEvent' && eventAt(other).transformationID === event.transformationID)
      : [at];
    return {
      key: places[0],
      places,
      first: places[0],
      last: places.at(-1),
      inputs: [...new Set(places.flatMap((place) => idsIn(eventAt(place), INPUTS)))],
      outputs: [...new Set(places.flatMap((place) => idsIn(eventAt(place), OUTPUTS)))],
    };
  };
  const transformations = positions.map(transformationAt);
  const isInput = (thing, at) => counts(at) && idsIn(eventAt(at), INPUTS).includes(thing);
  const isOutput = (thing, at) => counts(at) && idsIn(eventAt(at), OUTPUTS).includes(thing);

  // ---- Beginning and end ----

  const isObjectEvent = (at, action, thing) =>
    eventAt(at).type === 'ObjectEvent' && eventAt(at).action === action && namesIn(eventAt(at)).some(({ id }) => id === thing);
  const beginningOf = (thing) => counting.find((at) => isOutput(thing, at) || isObjectEvent(at, 'ADD', thing));
  const endOf = (thing) => (isLot(thing) ? undefined : counting.find((at) => isInput(thing, at) || isObjectEvent(at, 'DELETE', thing)));

  // ---- Divided lots ----

  function isDivided(thing) {
    if (!isLot(thing)) return false;
    const parents = new Set(
      allChanges.filter(({ kind, child }) => child === thing && (kind === 'packing' || through.includes(kind))).map(({ parent }) => parent),
    );
    const into = new Set(counting.filter((at) => isInput(thing, at)).map((at) => transformations[at].key));
    const outOf = new Set(counting.filter((at) => isOutput(thing, at)).map((at) => transformations[at].key));
    const destinations = new Set(
      counting
        .filter((at) => namesIn(eventAt(at)).some(({ id }) => id === thing))
        .map((at) => listOf(eventAt(at).destinationList))
        .filter((list) => list.length > 0)
        .map((list) => [...new Set(list.map(({ type, destination }) => JSON.stringify([type, destination])))].sort(byText).join()),
    );
    return [parents, into, outOf, destinations].some(({ size }) => size > 1);
  }
  const divided = new Set([...named].filter(isDivided));

  // ---- What is followed ----

  /**
   * The distance at which a thing is followed in a direction at a position:
   * `distances[direction].get(thing)[position]`. `all` has everything followed, `roots` only what
   * was asked for or reached by transformations: contents are told of these.
   * Steps lead only from things that `may` pass.
   */
  function reach(may) {
    const all = { forth: new Map(), back: new Map() };
    const roots = { forth: new Map(), back: new Map() };
    let changed = true;

    const lower = (map, thing, part, distance) => {
      if (!map.has(thing))
        map.set(
          thing,
          positions.map(() => Infinity),
        );
      const distances = map.get(thing);
      for (const at of part) {
        if (distances[at] <= distance) continue;
        distances[at] = distance;
        changed = true;
      }
    };
    const follow = (thing, way, start, distance, isRoot) => {
      if (distance > depth) return;
      for (const one of kin ? DIRECTIONS : [way]) {
        const part = positions.filter((at) => kin || (one === 'forth' ? at >= start : at <= start));
        lower(all[one], thing, part, distance);
        if (isRoot) lower(roots[one], thing, part, distance);
      }
    };

    for (const item of asked) {
      for (const way of DIRECTIONS) {
        if (direction === way || direction === 'both') {
          follow(item, way, way === 'forth' ? 0 : order.length - 1, 0, true);
        }
      }
    }

    while (changed) {
      changed = false;
      for (const way of DIRECTIONS) {
        for (const [thing, distances] of all[way]) {
          for (const at of positions) {
            const distance = distances[at];
            if (distance > depth) continue;
            for (const step of transformationSteps(thing, way, at, may)) {
              if (!inTime(at)) continue;
              for (const target of step.targets) {
                follow(target, way, step.start, distance + step.level + 1, true);
              }
            }
          }
        }
        if (contentsWanted !== 'followed') continue;
        for (const [thing, distances] of roots[way]) {
          for (const row of rowsByContainer.get(thing)) {
            if (![thing, ...row.between].every(may)) continue;
            for (const at of positions.filter((at) => row.start <= at && at <= wholeEnd(row.end))) {
              const start = way === 'forth' ? row.start : wholeEnd(row.end);
              follow(row.item, way, start, distances[at] + row.distance, false);
            }
          }
        }
      }
    }
    return { all, roots };
  }

  /** The transformations by which a followed thing leads on: `{ thing, level, transformation, targets, start }`. */
  function transformationSteps(thing, way, at, may) {
    const transformation = transformations[at];
    if (!transformation || !through.includes('transformation')) return [];
    if (way === 'back') {
      if (!isOutput(thing, at) || !may(thing)) return [];
      return [{ thing, level: 0, transformation, targets: transformation.inputs, start: transformation.last }];
    }
    return [...around(thing, at, may)]
      .filter(([one]) => isInput(one, at) && may(one))
      .map(([one, level]) => ({
        thing: one,
        level,
        transformation,
        targets: transformation.outputs,
        start: transformation.first,
      }));
  }

  const anything = () => true;
  const undivided = (thing) => !divided.has(thing);
  const possible = reach(anything);
  const sure = reach(undivided);

  const distanceIn = (map, thing, at) => map.get(thing)?.[at] ?? Infinity;
  const nearest = (maps, thing, at) => Math.min(...DIRECTIONS.map((way) => distanceIn(maps[way], thing, at)));
  const followed = everyThing.filter((thing) => DIRECTIONS.some((way) => possible.all[way].has(thing)));

  // ---- Presences ----

  function presencesAt(at) {
    const entries = namesIn(eventAt(at));
    const roleOf = (thing) => entries.find(({ id }) => id === thing)?.role;
    const presences = [];
    for (const item of followed) {
      const distance = nearest(possible.all, item, at);
      if (distance > depth) continue;
      const end = endOf(item);
      const late = end !== undefined && at > end ? { afterEnd: true } : {};
      const roles = [...new Set(entries.filter(({ id }) => id === item).map(({ role }) => role))];
      for (const role of roles) {
        const how = INPUTS.includes(role) ? 'input' : OUTPUTS.includes(role) ? 'output' : 'named';
        const certain = asked.has(item) || (!divided.has(item) && nearest(sure.all, item, at) <= depth);
        presences.push({ item, how, role, certain, ...late });
      }
      if (roles.length > 0) continue;

      const containers = [...around(item, at, anything)].filter(([one, level]) => roleOf(one) && distance + level <= depth);
      if (containers.length === 0) continue;
      const fewest = Math.min(...containers.map(([, level]) => level));
      const ways = containers
        .filter(([, level]) => level === fewest)
        .flatMap(([one]) => shortestWays(item, one, at))
        .sort((a, b) => byText(a.join('\n'), b.join('\n')));
      const certain = [...around(item, at, undivided)].some(([one, level]) => roleOf(one) && nearest(sure.all, item, at) + level <= depth);
      presences.push({ item, how: 'inside', role: roleOf(ways[0][0]), through: ways[0], certain, ...late });
    }
    return presences;
  }

  const told = positions
    .filter((at) => inTime(at) && mayBeListed(at))
    .map((at) => ({ index: order[at].index, withdrawn: !counts(at), presences: presencesAt(at) }))
    .filter(({ presences }) => presences.length > 0);

  // ---- Contents ----

  const distanceOfRow = (maps, row) =>
    Math.min(...positions.filter((at) => row.start <= at && at <= wholeEnd(row.end)).map((at) => nearest(maps, row.container, at) + row.distance));
  const rootThings = everyThing.filter((thing) => DIRECTIONS.some((way) => possible.roots[way].has(thing)));
  const rows = contentsWanted === 'none' ? [] : rootThings.flatMap((thing) => rowsByContainer.get(thing));
  const indexAt = (at) => order[at].index;

  const contents = rows
    .filter((row) => distanceOfRow(possible.roots, row) <= depth)
    .map((row) => ({
      container: row.container,
      item: row.item,
      ...(row.between.length ? { through: row.between } : {}),
      from: indexAt(row.start),
      ...(row.end === undefined ? {} : { to: indexAt(row.end) }),
      ...(row.observed ? { observed: true } : {}),
      ...(row.implied ? { implied: true } : {}),
      certain: [row.container, ...row.between].every(undivided) && distanceOfRow(sure.roots, row) <= depth,
    }));

  // ---- Ties ----

  const ties = new Map();
  const addTie = (tie) => ties.set(JSON.stringify(tie), tie);

  for (const change of changes.filter(({ at }) => inTime(at))) {
    const { at, kind, child, parent } = change;
    // What the event says of the thing first.
    const element = namesIn(eventAt(at)).find(({ id }) => id === child)?.element;
    if (change.what === 'more' || change.what === 'less' || change.implied) continue;
    const isStep = followed.some((thing) => {
      const level = around(thing, at, anything).get(child);
      return level !== undefined && nearest(possible.all, thing, at) + level + 1 <= depth;
    });
    if (!isStep) continue;
    const comesIn = change.what === 'in';
    if (kind === 'association' && !comesIn) continue;
    const quantity = element?.quantity === undefined ? {} : { quantity: { quantity: element.quantity, ...(element.uom ? { uom: element.uom } : {}) } };
    addTie({
      from: comesIn ? child : parent,
      to: comesIn ? parent : child,
      kind: kind === 'association' ? 'associated' : comesIn ? 'packed' : 'unpacked',
      index: indexAt(at),
      ...quantity,
    });
  }

  // ---- Transformation ties, and what is missing ----

  const missing = { depth: new Set(), time: new Set() };

  for (const thing of followed) {
    for (const at of positions) {
      for (const way of DIRECTIONS) {
        const distance = distanceIn(possible.all[way], thing, at);
        if (distance > depth) continue;
        for (const step of transformationSteps(thing, way, at, anything)) {
          if (distance + step.level > depth) continue;
          const isNear = distance + step.level + 1 <= depth;
          if (isNear && inTime(at)) {
            for (const target of step.targets) {
              const [source, output] = way === 'forth' ? [step.thing, target] : [target, step.thing];
              const makes = step.transformation.places.find((place) => isOutput(output, place));
              addTie({ from: source, to: output, kind: 'made', index: indexAt(makes) });
            }
          } else if (step.targets.some((target) => distanceIn(possible.all[way], target, step.start) > depth)) {
            missing[inTime(at) ? 'depth' : 'time'].add(step.thing);
          }
        }
      }

      // Containers beyond the distance.
      const distance = nearest(possible.all, thing, at);
      if (distance > depth) continue;
      const levels = around(thing, at, anything);
      for (const { child, parent } of pairsAt[at]) {
        const level = levels.get(child);
        if (level !== undefined && distance + level === depth && levels.get(parent) === level + 1) {
          missing.depth.add(child);
        }
      }
    }
  }

  // Contents beyond the distance.
  for (const row of rows) {
    const distance = distanceOfRow(possible.roots, row);
    if (distance === Infinity || distance <= depth) continue;
    const ofContainer = distance - row.distance;
    missing.depth.add([row.container, ...row.between][depth - ofContainer]);
  }

  const incomplete = Object.entries(missing)
    .filter(([, things]) => things.size > 0)
    .map(([reason, things]) => ({
      reason,
      at: [...things].sort(byText).slice(0, 100),
      total: things.size,
    }));

  // ---- The answer ----

  const known = new Set();
  for (const { presences } of told) {
    for (const presence of presences) {
      for (const id of [presence.item, ...(presence.through ?? [])]) known.add(id);
    }
  }
  for (const row of contents) {
    for (const id of [row.container, row.item, ...(row.through ?? [])]) known.add(id);
  }
  for (const tie of ties.values()) for (const id of [tie.from, tie.to]) known.add(id);

  const things = [...known].sort(byText).map((id) => {
    const began = followed.includes(id) ? beginningOf(id) : undefined;
    const ended = followed.includes(id) ? endOf(id) : undefined;
    return {
      id,
      ...(began === undefined ? {} : { began: indexAt(began) }),
      ...(ended === undefined ? {} : { ended: indexAt(ended) }),
    };
  });

  return {
    type: told.length > 0 || contents.length > 0 ? 'OK' : 'EMPTY',
    direction,
    items,
    events: told,
    contents,
    ties: [...ties.values()],
    things,
    incomplete,
  };
}
