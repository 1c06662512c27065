#!/usr/bin/env python3
"""An independent implementation of the transparency log's leaves, from the description in docs/log.md, with the standard library only.

    tests/differential/log_statement.py [--write]

Recomputes every value of tests/vectors/log/fields.json, and follows the proof and the disclosure beside it from the fields to the
signed root. It does not verify signatures. Exit code 0: everything agrees. 1: something differs. `--write` writes fields.json.
"""
import argparse, base64, hashlib, hmac, json, pathlib, sys

VECTORS = pathlib.Path(__file__).resolve().parents[1] / "vectors" / "log"
FIELDS = VECTORS / "fields.json"
ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Number(str):
    """A number as written."""


def parsed(text):
    def members(pairs):
        assert len({name for name, _ in pairs}) == len(pairs), "a name is repeated"
        return dict(pairs)

    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=members)


def string(text):
    return '"' + "".join(ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def canonical(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode())
    return "{" + ",".join(f"{string(name)}:{canonical(value[name])}" for name in names) + "}"


def sha256(*pieces):
    return hashlib.sha256(b"".join(pieces)).digest()


def mac(key, message):
    return hmac.new(key, message, "sha256").digest()


def fields_of(event):
    for name, value in parsed(event).items():
        pointer = "/" + name.replace("~", "~0").replace("/", "~1")
        if isinstance(value, list) and value:
            for at, entry in enumerate(value):
                yield f"{pointer}/{at}", canonical(entry)
        else:
            yield pointer, canonical(value)


def entry_of(salt, pointer, value):
    return b"epcis-edge/field/v1\n" + salt + pointer.encode() + b"\n" + value.encode()


def leaf_of(entry):
    return sha256(b"\0", entry)


def root_of(hashes):
    """MTH of RFC 6962, over leaf hashes."""
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256()
    k = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\1", root_of(hashes[:k]), root_of(hashes[k:]))


def root_from(leaf, index, size, path):
    """The root of a path, by the recursive definition of PATH in RFC 6962. None if the path has the wrong length."""
    if size == 1:
        return leaf if not path and index == 0 else None
    if not path:
        return None
    k = 1 << (size - 1).bit_length() - 1
    if index < k:
        left = root_from(leaf, index, k, path[:-1])
        return left and sha256(b"\1", left, path[-1])
    right = root_from(leaf, index - k, size - k, path[:-1])
    return right and sha256(b"\1", path[-1], right)


def stamps_of(event):
    members = parsed(event)
    last = lambda ending: [value for name, value in members.items() if name.endswith(ending)][-1]
    return [last(":capturedBy"), last(":who"), members["recordTime"]]


def commitment_of(derived, statement):
    return sha256(b"epcis-edge/commitment/v2\n", derived, statement.encode())


def log_entry(commitment):
    return b"epcis-edge/leaf/v1\n" + commitment


def case_of(name, event, document, salt):
    derive = lambda label: mac(salt, label.encode())
    fields, leaves = [], []
    for pointer, value in fields_of(event):
        field_salt = derive("field:" + pointer)
        entry = entry_of(field_salt, pointer, value)
        leaves.append(leaf_of(entry))
        fields.append({"pointer": pointer, "value": value, "salt": field_salt.hex(), "entry": entry.hex(), "leaf": leaves[-1].hex()})
    lines = [
        "epcis-edge/statement/v2",
        mac(derive("event"), event.encode()).hex(),
        mac(derive("document"), document.encode()).hex(),
        f"{len(leaves)} {root_of(leaves).hex()}",
        *stamps_of(event),
    ]
    assert not any("\n" in line for line in lines)
    statement = "".join(f"{line}\n" for line in lines)
    commitment = commitment_of(derive("commitment"), statement)
    entry = log_entry(commitment)
    return {
        "name": name,
        "event": event,
        "document": document,
        "salt": salt.hex(),
        "fields": fields,
        "statement": statement,
        "commitment": commitment.hex(),
        "entry": entry.hex(),
        "leaf": leaf_of(entry).hex(),
    }


STAMPS = '"recordTime":"2026-11-21T10:00:01.000Z","spine:who":"https://id.gs1.org/417/9521141000009","spine:capturedBy":"https://example.com/accounts/1"'
GIVEN = [
    ("nothing but stamps", '{"type":"ObjectEvent",%s}' % STAMPS),
    (
        "an object event with lists",
        '{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{"spine":"https://epcis.example.com/vocabulary/"}],"type":"ObjectEvent",'
        '"eventTime":"2026-03-04T11:00:30.000+01:00","eventTimeZoneOffset":"+01:00","epcList":["urn:epc:id:sscc:9521141.1234567890","urn:epc:id:sscc:9521141.1234567891",'
        '"urn:epc:id:sscc:9521141.1234567892"],"quantityList":[],"action":"OBSERVE","bizStep":"shipping","readPoint":{"id":"urn:epc:id:sgln:9521141.00001.0"},'
        '"bizTransactionList":[{"type":"po","bizTransaction":"urn:epcglobal:cbv:bt:9521141000009:4711"}],'
        '"eventID":"urn:uuid:1",%s}' % STAMPS,
    ),
    (
        "spellings",
        '{ "type":"ObjectEvent", "b" : { "y" : [ 1.50 , -0e+1 , 1E40 , 12345678901234567890.10 ] , "x" : { "\\ud83d\\ude00" : 1 , "\\uffff" : 2 , "\\u0061" : 3 , "" : null } } ,\n'
        ' "a/~":"\\u0041\\/\\u00e9\\n\\r\\t\\u0008\\f\\u001F\\u007f\\"\\\\", "li\\u006et" : [ [ ] , [ true , false ] , { } , "" ] , "":0.10, "with\\nfeed":"\\n", "list/0":[], %s }' % STAMPS,
    ),
    ("a list of seventeen", '{"type":"ObjectEvent","epcList":[%s],%s}' % (",".join(f'"urn:epc:id:sgtin:9521141.012345.{n}"' for n in range(17)), STAMPS)),
]


def vectors():
    cases = [
        case_of(name, event, hashlib.sha256(name.encode()).hexdigest(), sha256(b"salt of ", name.encode()))
        for name, event in GIVEN
    ]
    return {"source": "docs/log.md, made by tests/differential/log_statement.py --write", "cases": cases}


def proof_of(text):
    first, *lines = text.split("\n\n", 1)[0].split("\n")
    assert first == "c2sp.org/tlog-proof@v1", first
    extra = base64.b64decode(lines.pop(0)[6:]) if lines[0].startswith("extra ") else None
    index = int(lines.pop(0).removeprefix("index "))
    _, size, root = text.split("\n\n", 1)[1].split("\n")[:3]
    return extra, index, int(size), base64.b64decode(root), [base64.b64decode(line, validate=True) for line in lines]


def follows(commitment, proof):
    _, index, size, root, path = proof
    return root_from(leaf_of(log_entry(commitment)), index, size, path) == root


def disclosure_holds(text):
    """Checks a disclosure. Returns the number of fields shown and of all fields."""
    parts = parsed(text)
    assert sorted(parts) == ["fields", "proof", "salt", "statement", "type"] and parts["type"] == "epcis-edge/disclosure/v1"
    version, *_, tree, captured_by, who, time, end = parts["statement"].split("\n")
    assert version == "epcis-edge/statement/v2" and end == ""
    count, root = tree.split(" ")
    for field in parts["fields"]:
        leaf = leaf_of(entry_of(bytes.fromhex(field["salt"]), field["pointer"], canonical(field["value"])))
        path = [base64.b64decode(hash, validate=True) for hash in field["path"]]
        assert root_from(leaf, int(field["index"]), int(count), path) == bytes.fromhex(root), field["pointer"]
    assert len({field["index"] for field in parts["fields"]}) == len(parts["fields"])
    proof = proof_of(parts["proof"])
    assert proof[0] is None and follows(commitment_of(bytes.fromhex(parts["salt"]), parts["statement"]), proof)
    return len(parts["fields"]), int(count)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    made = vectors()
    if parser.parse_args().write:
        FIELDS.write_text(json.dumps(made, indent=1, ensure_ascii=True) + "\n")
    wrong = []
    for mine, theirs in zip(made["cases"], json.loads(FIELDS.read_text())["cases"], strict=True):
        wrong += [f"{mine['name']}: {key}" for key in mine if mine[key] != theirs.get(key)]
    event = (VECTORS / "keyed.json").read_text()
    extra, *rest = proof_of((VECTORS / "keyed.tlog-proof").read_text())
    salt, statement = extra[:32], extra[32:].decode()
    again = case_of("", event, "", salt)["statement"]
    # The digest of the document cannot be recomputed: the document is not here.
    same = [one for at, (one, other) in enumerate(zip(statement.split("\n"), again.split("\n"), strict=True)) if at != 2 and one != other]
    if same or not follows(commitment_of(mac(salt, b"commitment"), statement), (None, *rest)):
        wrong.append("keyed.tlog-proof")
    shown, of = disclosure_holds((VECTORS / "keyed.disclosure.json").read_text())
    for line in wrong:
        print(f"differs: {line}")
    print(f"{len(made['cases'])} statements with {sum(len(case['fields']) for case in made['cases'])} fields, one proof, one disclosure of {shown} of {of} fields")
    sys.exit(1 if wrong else 0)


main()
