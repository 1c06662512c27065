#!/usr/bin/env python3
"""Compares our REF2025 hashes with the Python reference implementation (PyPI, epcis_event_hash_generator 1.9.3).

    tests/differential/hash_reference.py [--events N] [--seed S]

Exit code 0: all hashes agree except the listed exceptions, which must differ. Also 0, with a line that says so, if the reference
cannot be installed and EPCIS_EDGE_REQUIRE_PEERS is not set. Exit code 1: an unexpected difference, or an exception that agrees.
The reference is installed in a virtual environment below target/.
"""
import argparse, json, os, pathlib, random, subprocess, sys, tempfile, venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOME = ROOT / "target" / "hash-reference"
PACKAGE = "epcis_event_hash_generator==1.9.3"
CONTEXT = ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", {"ex": "https://ns.example.com/ex/", "two": "https://ns.example.com/two/"}]

# Runs in the virtual environment. Reads file names, and writes a list of [hash, pre-hash string] for each.
REFERENCE = r"""
import json, logging, sys
logging.disable(logging.CRITICAL)
from epcis_event_hash_generator import hash_generator, events_from_file_reader
result = {}
for path in json.load(sys.stdin):
    try:
        events = events_from_file_reader.event_list_from_file(path)
        strings = hash_generator.derive_prehashes_from_events(events)
        hashes = hash_generator.calculate_hashes_from_pre_hashes(strings)
        result[path] = [list(pair) for pair in zip(hashes, strings)]
    except Exception as error:
        result[path] = [["failed", "%s: %s" % (type(error).__name__, error)]]
json.dump(result, sys.stdout)
"""

TIMES = {"eventTime": "2026-01-05T10:00:00Z", "eventTimeZoneOffset": "+00:00"}


def single(**members):
    return [{"type": "ObjectEvent", **TIMES, "action": "OBSERVE", "epcList": ["urn:epc:id:sgtin:9521321.012345.1"], **members}]


# Events on which the two differ, each with its reason. An exception that agrees fails the run.
DIFFER = {
    "booleans": (single(**{"ex:ok": True}), "the reference prints True and False"),
    "null": (single(disposition=None), "the reference prints None"),
    "half-even": (single(eventTime="2026-01-05T10:00:00.1425Z"), "the reference rounds microseconds half to even"),
    "event-context": (single(**{"@context": {"own": "https://own.example/"}, "own:x": "1"}), "the reference does not resolve the context of an event"),
    "unknown-word": (single(disposition="word_of_nobody"), "the reference leaves words that its context does not list"),
    "type-second": (single(bizTransactionList=[{"bizTransaction": "urn:example:1", "type": "po"}]), "the reference keeps the order of the JSON"),
    "user-curie": (single(**{"ex:x": "two:value"}), "the reference expands prefixes of users in values"),
    "gs1-curie": (single(sensorElementList=[{"sensorReport": [{"type": "gs1:Pressure", "value": 1}]}]), "the reference knows gs1: in JSON values only where the document declares it"),
    "large-grai": (single(epcList=["urn:epc:id:grai:952132100005..7"]), "the reference does not match a company prefix of 12 digits in a GRAI"),
    "escaped-link": (single(epcList=["https://shop.example/01/09521321123458/21/a%2Fb"]), "the reference leaves Digital Links with escapes on their host"),
    "underscores": (single(**{"ex:x": "1_000"}), "a number for Python, and for nobody else"),
}

# Vectors for which the published package is too old.
TOO_OLD = {
    "epcisQueryDocument": "1.9.3 knows no query documents",
    "epcisDocHavingEventWithIgnoreFields": "1.9.3 knows no ignore instruction",
}


def generate(count, seed):
    """Returns events on which both must agree."""
    r = random.Random(seed)
    digits = lambda length: "".join(r.choice("0123456789") for _ in range(length))
    text = lambda: "".join(r.choice("ABCDEFGHJKLMNPQRSTUVWXYZabc0123456789") for _ in range(r.randrange(1, 12)))

    def item():
        prefix = r.randrange(6, 13)
        company = digits(prefix)
        return r.choice([
            lambda: f"urn:epc:id:sgtin:{company}.{digits(13 - prefix)}.{text()}",
            lambda: f"urn:epc:id:sscc:{company}.{digits(17 - prefix)}",
            lambda: f"urn:epc:id:giai:{company}.{text()}",
            lambda: f"urn:epc:id:gdti:9521321.{digits(5)}.{text()}",
            lambda: f"urn:epc:id:grai:9521321.{digits(5)}.{text()}",
            lambda: f"urn:epc:id:itip:9521321.{digits(6)}.01.02.{text()}",
            lambda: f"https://id.gs1.org/01/{digits(14)}/21/{text()}",
            lambda: f"https://shop.example.com/path/01/{digits(14)}/21/{text()}",
            lambda: f"https://id.gs1.org/00/{digits(18)}",
            lambda: f"urn:uuid:{digits(8)}-0000-4000-8000-{digits(12)}",
            lambda: f"urn:epc:id:gid:{company}.{digits(3)}.{digits(4)}",
        ])()

    def item_class():
        return r.choice([f"urn:epc:class:lgtin:9521321.{digits(6)}.L{text()}", f"urn:epc:idpat:sgtin:9521321.{digits(6)}.*", f"https://id.gs1.org/01/{digits(14)}/10/{text()}"])

    def time():
        return "20%02d-%02d-%02dT%02d:%02d:%02d%s%s" % (r.randrange(10, 40), r.randrange(1, 13), r.randrange(1, 29), r.randrange(24), r.randrange(60), r.randrange(60),
                                                     r.choice(["", "." + digits(1), "." + digits(3)]), r.choice(["Z", "+05:30", "-08:00", "+14:00"]))

    number = lambda: r.choice([r.randrange(10**6), -r.randrange(100), round(r.uniform(-90, 900), r.randrange(5)), 10**20 + r.randrange(10**6), 0.00001 * r.randrange(1, 90), 1e22])
    place = lambda: f"urn:epc:id:sgln:9521321.{digits(5)}.{r.randrange(3)}"
    quantity = lambda: {"epcClass": item_class(), "quantity": number(), **({"uom": "KGM"} if r.random() < .5 else {})}
    many = lambda make, least=1: [make() for _ in range(r.randrange(least, 4))]

    def extensions(depth=0):
        found = {}
        for _ in range(r.randrange(1, 4)):
            name = r.choice(["ex:", "two:"]) + "field" + r.choice("ABCDEF")
            found[name] = r.choice([text, number, lambda: many(text), item, (lambda: extensions(depth + 1)) if depth < 3 else text])()
        return found

    def sensor():
        report = lambda: {"type": r.choice(["Temperature", "Speed", "Mass", "Pressure"]), "value": number(), "minValue": number(), "uom": "CEL",
                          **({"time": time()} if r.random() < .3 else {}), **({"exception": "ALARM_CONDITION"} if r.random() < .2 else {}),
                          **(extensions(3) if r.random() < .2 else {})}
        return {**({"sensorMetadata": {"time": time(), "deviceID": "urn:epc:id:giai:9521321." + text(), **(extensions(3) if r.random() < .2 else {})}} if r.random() < .7 else {}),
                "sensorReport": many(report)}

    def event():
        kind = r.choice(["ObjectEvent", "AggregationEvent", "TransactionEvent", "TransformationEvent", "AssociationEvent"])
        e = {"type": kind, "eventTime": time(), "eventTimeZoneOffset": r.choice(["+01:00", "-06:00"])}
        if r.random() < .3:
            e["recordTime"], e["eventID"] = time(), "urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8"
        if kind in ("ObjectEvent", "TransactionEvent"):
            e["epcList"], e["quantityList"] = many(item, 0), many(quantity, 0)
            if kind == "TransactionEvent" and r.random() < .5:
                e["parentID"] = item()
        elif kind == "TransformationEvent":
            e["inputEPCList"], e["outputEPCList"], e["outputQuantityList"] = many(item), many(item), many(quantity)
            e["transformationID"] = "urn:epc:id:gdti:9521321.00005." + text()
        else:
            e["parentID"], e["childEPCs"], e["childQuantityList"] = item(), many(item), many(quantity, 0)
        if kind != "TransformationEvent":
            e["action"] = r.choice(["ADD", "OBSERVE", "DELETE"])
        if r.random() < .8:
            e["bizStep"] = r.choice(["shipping", "receiving", "packing", "https://voc.example.com/step"])
        if r.random() < .5:
            e["disposition"] = r.choice(["active", "in_transit"])
        if r.random() < .3:
            e["persistentDisposition"] = {"set": r.sample(["recalled", "conformant", "damaged"], 2), "unset": ["active"]}
        if r.random() < .7:
            e["readPoint"] = {"id": place(), **(extensions(3) if r.random() < .3 else {})}
            e["bizLocation"] = {"id": place()}
        if r.random() < .4 or kind == "TransactionEvent":
            e["bizTransactionList"] = many(lambda: {"type": r.choice(["po", "inv"]), "bizTransaction": r.choice([item(), "urn:epcglobal:cbv:bt:9521321000005:" + text()])})
        if r.random() < .3:
            e["sourceList"] = [{"type": "owning_party", "source": "urn:epc:id:pgln:9521321." + digits(5)}]
            e["destinationList"] = [{"type": "location", "destination": place()}]
        if r.random() < .3:
            e["sensorElementList"] = many(sensor)
        if r.random() < .3:
            e["ilmd"] = extensions(2)
        if r.random() < .2:
            e["certificationInfo"] = "https://example.com/cert/" + text()
        if r.random() < .4:
            e.update(extensions())
        return e

    return [event() for _ in range(count)]


def give_up(why):
    print(f"skipped: {why}")
    sys.exit(1 if "EPCIS_EDGE_REQUIRE_PEERS" in os.environ else 0)


def reference_python():
    python = HOME / "bin" / "python"
    try:
        if not python.exists():
            venv.create(HOME, with_pip=True)
        probe = subprocess.run([python, "-c", "import epcis_event_hash_generator"], capture_output=True)
        if probe.returncode:
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE], check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        give_up(f"the reference could not be installed ({error})")
    return python


def ours(files):
    command = ["cargo", "run", "--quiet", "--profile", "once", "-p", "epcis-edge-tests", "--example", "hash", "--", "REF2025", *files]
    lines = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    result = {}
    for line in lines:
        if line.startswith("= "):
            result[line[2:]] = events = []
        else:
            events.append(line.split("\t", 1))
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    python = reference_python()
    with tempfile.TemporaryDirectory() as folder:
        files, exceptions = [], {}

        def add(name, events):
            path = os.path.join(folder, name + ".json")
            document = {"@context": CONTEXT, "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-01-05T10:00:00Z", "epcisBody": {"eventList": events}}
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file)
            files.append(path)
            return path

        events = generate(options.events, options.seed)
        for start in range(0, len(events), 20):
            add(f"generated-{start}", events[start:start + 20])
        for name, (events, reason) in DIFFER.items():
            exceptions[add(name, events)] = reason
        vectors = pathlib.Path(os.environ.get("EPCIS_EDGE_VECTORS", ROOT.parent / "shared" / "vectors")) / "hash" / "ref2025"
        for path in sorted(vectors.glob("*.json*")):
            files.append(str(path))
            if path.stem in TOO_OLD:
                exceptions[str(path)] = TOO_OLD[path.stem]
        if not vectors.is_dir():
            print(f"skipped: no vectors in {vectors}")

        found = ours(files)
        answer = subprocess.run([python, "-c", REFERENCE], input=json.dumps(files), check=True, stdout=subprocess.PIPE, text=True).stdout
        wanted = json.loads(answer)
        wrong = agreed = 0
        for path in files:
            name = pathlib.Path(path).stem
            if path in exceptions:
                if found[path] == wanted[path]:
                    wrong += 1
                    print(f"{name}: agrees, but is listed as an exception ({exceptions[path]})")
                continue
            if len(found[path]) != len(wanted[path]):
                wrong += 1
                print(f"{name}: {len(found[path])} events, the reference has {len(wanted[path])}: {wanted[path][0][1]}")
                continue
            for number, (mine, theirs) in enumerate(zip(found[path], wanted[path])):
                if mine[0] == theirs[0]:
                    agreed += 1
                    continue
                wrong += 1
                same = len(os.path.commonprefix([mine[1], theirs[1]]))
                part = slice(max(0, same - 60), same + 120)
                print(f"{name}, event {number}, from character {part.start}:\n  ours      {mine[1][part]}\n  reference {theirs[1][part]}")
        print(f"{agreed} events agree, {len(exceptions)} documents differ as listed, {wrong} findings")
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
