//! Statements, and disclosures: selected fields of a logged event are shown while the others stay secret.

use data_encoding::{BASE64, HEXLOWER};
use epcis_edge_core::error::{Error, ErrorKind, LogFault};
use epcis_edge_core::hash::{Profile, pre_hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::log::{
    Checkpoint, DisclosableField, DisclosureVerdict, Hash, KeyKind, MAX_DISCLOSURE, Proof,
    ProofPlan, Salt, ShownField, Signer, Statement, cosignature, disclosable, disclose, entry,
    leaf_hash, leaf_of, node_hash, root_of, signed, verify, verify_disclosure,
};
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{own_vectors, read_text};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;

const ORIGIN: &str = "epcis.example.com/log";
const SEEN: u64 = 1_795_255_200;
/// One day after `SEEN`, in milliseconds.
const NOW: u64 = (SEEN + 86_400) * 1000;
const SALT: Salt = [7; 32];
const STAMPS: &str = r#""recordTime":"2026-11-21T10:00:01.000Z","spine:who":"https://id.gs1.org/417/9521141000009","spine:capturedBy":"https://example.com/accounts/1""#;

fn log_key() -> Signer {
    let seed = std::array::from_fn(|at| at as u8);
    Signer::new(ORIGIN, KeyKind::Note, &seed).unwrap()
}

fn witness_key() -> Signer {
    let seed = std::array::from_fn(|at| 32 + at as u8);
    Signer::new("witness.example.com/w1", KeyKind::Cosignature, &seed).unwrap()
}

fn policy() -> String {
    let (log, witness) = (log_key(), witness_key());
    format!("log {}\nwitness W1 {}\nquorum W1\n", log.key(), witness.key())
}

fn digest_of_document() -> String {
    HEXLOWER.encode(&Sha256::digest("document 0"))
}

/// The proof of a leaf at index 1 in a tree of 3.
fn proof_of(leaf: Hash, salt: Salt, statement: &str) -> String {
    let leaves = [[1; 32], leaf, [3; 32]];
    let text = Checkpoint { origin: ORIGIN.to_owned(), size: 3, root: root_of(&leaves) }.text();
    let plan = ProofPlan::inclusion(1, 3);
    let tiles = plan.tiles().into_iter();
    let tiles: Vec<Vec<Hash>> =
        tiles.map(|tile| leaves[..usize::from(tile.width)].to_vec()).collect();
    Proof {
        extra: Some((salt, statement.to_owned())),
        index: 1,
        path: plan.hashes_from(&tiles).unwrap(),
        checkpoint: signed(&text, &[log_key()]) + &cosignature(&text, SEEN, &witness_key()),
    }
    .text()
}

fn proven_with(event: &str, salt: Salt) -> String {
    let statement = Statement::of_stored(event, &digest_of_document(), &salt).unwrap();
    let leaf = leaf_of(&statement.commitment(&salt).unwrap());
    proof_of(leaf, salt, &statement.text().unwrap())
}

fn proven(event: &str) -> String {
    proven_with(event, SALT)
}

fn event() -> String {
    format!(
        r#"{{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{{"spine":"https://epcis.example.com/vocabulary/"}}],"type":"ObjectEvent","eventTime":"2026-03-04T11:00:30.000+01:00","eventTimeZoneOffset":"+01:00","epcList":["urn:epc:id:sscc:9521141.1234567890","urn:epc:id:sscc:9521141.1234567891","urn:epc:id:sscc:9521141.1234567892"],"quantityList":[],"action":"OBSERVE","bizStep":"shipping","disposition":"in_transit","readPoint":{{"id":"urn:epc:id:sgln:9521141.00001.0"}},"ex:weight":12.50,"eventID":"ni:///sha-256;5c88e7a226e11ad1204cb8d30cd5d6ff6cba69bc32da73134928e17c90c54086?ver=CBV2.0",{STAMPS}}}"#
    )
}

fn shown(event: &str, show: &[&str]) -> Result<String, Error> {
    let show: Vec<String> = show.iter().map(|name| (*name).to_owned()).collect();
    disclose(event.as_bytes(), &proven(event), &show)
}

fn choices(event: &str) -> Vec<DisclosableField> {
    disclosable(event.as_bytes(), &proven(event)).unwrap()
}

fn judged(disclosure: &str) -> DisclosureVerdict {
    let verdict = verify_disclosure(disclosure.as_bytes(), &policy(), NOW).unwrap();
    let told = &verdict.proof;
    assert_eq!(told.valid, told.steps.iter().all(|step| step.holds));
    if !told.valid {
        assert_eq!(verdict.fields, []);
        let stated = (&verdict.withheld, &verdict.record_time, &verdict.who);
        assert_eq!(stated, (&None, &None, &None));
        assert_eq!((&verdict.captured_by, &told.logged_before), (&None, &None));
    }
    verdict
}

/// The first step that fails.
fn failed(disclosure: &str) -> Option<&'static str> {
    let verdict = judged(disclosure);
    let step = verdict.proof.steps.iter().find(|step| !step.holds);
    step.map(|step| step.step)
}

fn fault<T: std::fmt::Debug>(result: Result<T, Error>) -> LogFault {
    match result.unwrap_err().kind() {
        ErrorKind::Log(fault) => fault.clone(),
        other => panic!("{other:?}"),
    }
}

fn hex(text: &Value) -> Hash {
    let bytes = HEXLOWER.decode(text.as_str().unwrap().as_bytes()).unwrap();
    bytes.try_into().unwrap()
}

fn field_entry(salt: &Hash, pointer: &str, value: &str) -> Vec<u8> {
    let text = format!("{pointer}\n{value}");
    [b"epcis-edge/field/v1\n", salt.as_slice(), text.as_bytes()].concat()
}

/// The vectors that an independent program made from the description.
#[test]
fn the_vectors_of_the_description() {
    let vectors = read_text(&own_vectors("log").join("fields.json"));
    let vectors: Value = serde_json::from_str(&vectors).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    assert!(cases.len() > 3);
    for case in cases {
        let text = |name: &str| case[name].as_str().unwrap();
        let (event, salt) = (text("event"), hex(&case["salt"]));
        let statement = Statement::of_stored(event, text("document"), &salt).unwrap();
        assert_eq!(statement.text().unwrap(), text("statement"));
        assert_eq!(Statement::read(text("statement")).unwrap(), statement);
        let commitment = statement.commitment(&salt).unwrap();
        assert_eq!(commitment, hex(&case["commitment"]));
        assert_eq!(HEXLOWER.encode(&entry(&commitment)), text("entry"));
        assert_eq!(leaf_of(&commitment), hex(&case["leaf"]));
        // A disclosure of every field contains every salt.
        let proof = proof_of(leaf_of(&commitment), salt, text("statement"));
        let names = disclosable(event.as_bytes(), &proof).unwrap().into_iter();
        let names: Vec<String> = names.map(|field| field.pointer).collect();
        let disclosure = disclose(event.as_bytes(), &proof, &names).unwrap();
        let verdict = judged(&disclosure);
        assert!(verdict.proof.valid, "{verdict:#?}");
        assert_eq!(verdict.withheld, Some(0));
        let made: Value = serde_json::from_str(&disclosure).unwrap();
        let fields = case["fields"].as_array().unwrap();
        assert_eq!(verdict.fields.len(), fields.len());
        for ((field, shown), made) in
            fields.iter().zip(&verdict.fields).zip(made["fields"].as_array().unwrap())
        {
            assert_eq!(field["pointer"], shown.pointer);
            assert_eq!(field["value"], shown.value);
            assert_eq!(field["salt"], made["salt"]);
            let entry = field_entry(&hex(&field["salt"]), &shown.pointer, &shown.value);
            assert_eq!(field["entry"], HEXLOWER.encode(&entry));
            assert_eq!(leaf_hash(&entry), hex(&field["leaf"]));
        }
    }
}

/// The files for the tests of the package, the page and the independent program.
#[test]
fn the_files_of_a_disclosure() {
    let event = event();
    let files = [
        ("keyed.json", event.clone()),
        ("keyed.tlog-proof", proven(&event)),
        (
            "keyed.disclosure.json",
            shown(&event, &["epcList", "eventTime", "bizStep", "ex:weight"]).unwrap(),
        ),
    ];
    for (name, text) in files {
        let path = own_vectors("log").join(name);
        if is_on("EPCIS_EDGE_BLESS") {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(read_text(&path), text, "{name}");
    }
}

#[test]
fn a_leaf_commits_to_one_statement() {
    let (event, document) = (event(), digest_of_document());
    let keyed = Statement::of_stored(&event, &document, &SALT).unwrap();
    let commitment = keyed.commitment(&SALT).unwrap();
    let found = Statement::of_leaf(&event, &document, &SALT, &commitment).unwrap();
    assert_eq!(found, keyed);
    for (event, salt) in [(event.replace("12.50", "12.5"), SALT), (event.clone(), [8; 32])] {
        let found = Statement::of_leaf(&event, &document, &salt, &commitment).unwrap_err();
        let ErrorKind::Internal { detail } = found.kind() else { panic!("{found:?}") };
        assert!(detail.starts_with("the step `leaf`: "), "{detail}");
    }
    assert!(!keyed.text().unwrap().contains("ni:///"));
    // Each salt gives a different statement, so statements cannot be compared.
    let other = Statement::of_stored(&event, &document, &[8; 32]).unwrap();
    let lines = |statement: &Statement| -> Vec<String> {
        let text = statement.text().unwrap();
        text.lines().skip(1).take(3).map(str::to_owned).collect()
    };
    assert!(lines(&keyed).iter().zip(lines(&other)).all(|(one, other)| *one != other));
    let repeated = event.replace(r#""action""#, r#""bizStep":"receiving","action""#);
    let found = fault(Statement::of_stored(&repeated, &document, &SALT));
    assert_eq!(found, LogFault::RepeatedName);
    let broken = event.replace("accounts/1", "accounts/1\\n");
    let broken = Statement::of_stored(&broken, &document, &SALT).unwrap();
    assert!(matches!(broken.text(), Err(LogFault::Statement { .. })));
}

#[test]
fn statements_that_are_none() {
    let (event, document) = (event(), digest_of_document());
    let text = Statement::of_stored(&event, &document, &SALT).unwrap();
    let text = text.text().unwrap();
    assert!(Statement::read(&text).is_ok());
    let lines: Vec<&str> = text.lines().collect();
    let with = |at: usize, line: &str| -> String {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.iter().map(|line| format!("{line}\n")).collect()
    };
    let (count, root) = lines[3].split_once(' ').unwrap();
    for broken in [
        with(0, "epcis-edge/statement/v1"),
        with(0, "epcis-edge/statement/v3"),
        with(1, &lines[1].to_uppercase()),
        with(2, ""),
        with(3, root),
        with(3, &format!("0{count} {root}")),
        with(3, &format!("0 {root}")),
        with(3, &format!("{count}  {root}")),
        with(3, &format!("{count} {root} ")),
        with(3, &format!("-1 {root}")),
        text.trim_end().to_owned(),
        format!("{text}\n"),
        text.replace('\n', "\r\n"),
    ] {
        assert!(matches!(Statement::read(&broken), Err(LogFault::Statement { .. })), "{broken}");
    }
}

#[test]
fn a_proof_holds() {
    let event = event();
    let proof = proven(&event);
    let verdict = verify(event.as_bytes(), &proof, &policy(), NOW).unwrap();
    assert!(verdict.valid, "{verdict:#?}");
    assert!(
        verdict.steps[1]
            .detail
            .starts_with("keyed digest, the tree of 18 fields, recordTime, who and capturedBy"),
        "{}",
        verdict.steps[1].detail
    );
    let document = format!(r#"{{"type":"EPCISDocument","epcisBody":{{"eventList":[ {event} ]}}}}"#);
    let verdict = verify(document.as_bytes(), &proof, &policy(), NOW).unwrap();
    assert!(verdict.valid, "{verdict:#?}");
    let beside = document.replace("[ ", r#"[{"type":"ObjectEvent"}, "#);
    let verdict = verify(beside.as_bytes(), &proof, &policy(), NOW).unwrap();
    assert!(!verdict.valid, "an event beside it would pass for proved");
    let failing = |event: &str, proof: &str| {
        let verdict = verify(event.as_bytes(), proof, &policy(), NOW).unwrap();
        let step = verdict.steps.iter().find(|step| !step.holds);
        step.map(|step| step.step)
    };
    assert_eq!(failing(&event.replace("12.50", "12.5"), &proof), Some("event"));
    assert_eq!(failing(&event, &proven_with(&event, [8; 32])), None);
    // Each line of the statement is compared with the event, except the second digest. Only the leaf confirms that one.
    let read = Proof::read(&proof).unwrap();
    let (_, statement) = read.extra.clone().unwrap();
    for at in 0..7 {
        let mut lines: Vec<String> = statement.lines().map(str::to_owned).collect();
        let last = lines[at].pop().unwrap();
        lines[at].push(if last == '0' { '1' } else { '0' });
        let changed: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let changed = Proof { extra: Some((SALT, changed)), ..read.clone() };
        let expected = if at == 2 { "inclusion" } else { "event" };
        assert_eq!(failing(&event, &changed.text()), Some(expected), "line {at}");
    }
    let changed = Proof { extra: Some(([8; 32], statement)), ..read };
    assert_eq!(failing(&event, &changed.text()), Some("event"));
}

#[test]
fn what_is_shown_is_proved_and_the_rest_is_withheld() {
    let event = event();
    let disclosure = shown(&event, &["epcList", "eventTime", "bizStep", "ex:weight"]).unwrap();
    let verdict = judged(&disclosure);
    assert!(verdict.proof.valid, "{verdict:#?}");
    let steps: Vec<_> = verdict.proof.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, ["disclosure", "fields", "leaf", "log", "witnesses", "inclusion"]);
    let field = |pointer: &str, value: &str| ShownField {
        pointer: pointer.to_owned(),
        value: value.to_owned(),
    };
    // Fields are in the order of the event, and numbers keep their digits.
    assert_eq!(
        verdict.fields,
        [
            field("/eventTime", r#""2026-03-04T11:00:30.000+01:00""#),
            field("/epcList/0", r#""urn:epc:id:sscc:9521141.1234567890""#),
            field("/epcList/1", r#""urn:epc:id:sscc:9521141.1234567891""#),
            field("/epcList/2", r#""urn:epc:id:sscc:9521141.1234567892""#),
            field("/bizStep", r#""shipping""#),
            field("/ex:weight", "12.50"),
        ]
    );
    assert_eq!(verdict.withheld, Some(12));
    assert_eq!(
        [&verdict.record_time, &verdict.who, &verdict.captured_by, &verdict.proof.logged_before]
            .map(Option::as_deref),
        [
            "2026-11-21T10:00:01.000Z",
            "https://id.gs1.org/417/9521141000009",
            "https://example.com/accounts/1",
            "2026-11-21T10:00:01.000Z",
        ]
        .map(Some)
    );
    assert_eq!((verdict.proof.index, verdict.proof.size), (Some(1), Some(3)));
    for secret in ["in_transit", "9521141.00001.0", "ni:///", &HEXLOWER.encode(&SALT)] {
        assert!(!disclosure.contains(secret), "{secret}");
    }
    // Fields can be selected by name or by pointer. An empty list is one field.
    for (one, other) in [
        (&["epcList"][..], &["/epcList"][..]),
        (&["epcList"], &["/epcList/0", "/epcList/2", "/epcList/1", "/epcList/0"]),
        (&["spine:who"], &["/spine:who"]),
    ] {
        assert_eq!(shown(&event, one).unwrap(), shown(&event, other).unwrap());
    }
    let empty = judged(&shown(&event, &["quantityList"]).unwrap());
    assert_eq!(empty.fields, [field("/quantityList", "[]")]);
    // In a document, the event is found by its bytes.
    let document = format!(r#"[{{"type":"ObjectEvent"}},{event}]"#);
    let show = ["bizStep".to_owned()];
    let found = disclose(document.as_bytes(), &proven(&event), &show);
    assert_eq!(found.unwrap(), shown(&event, &["bizStep"]).unwrap());
}

#[test]
fn what_cannot_be_shown() {
    let event = event();
    for name in [
        "bizstep",
        "",
        "/",
        "/bizStep/0",
        "/epcList/3",
        "/epcList/00",
        "/epcList/-",
        "/epcList/0/0",
        "/readPoint/id",
        "/quantityList/0",
        "/@context/1/spine",
    ] {
        match fault(shown(&event, &["action", name])) {
            LogFault::NoSuchField { found, fields } => {
                assert_eq!(found, name);
                assert!(fields.starts_with("@context, type, eventTime,"), "{fields}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(matches!(fault(shown(&event, &[])), LogFault::Disclosure(_)));
    let show = ["action".to_owned()];
    let other = disclose(event.replace("12.50", "12.5").as_bytes(), &proven(&event), &show);
    assert!(matches!(fault(other), LogFault::Event { .. }));
    let proof = proven(&event);
    let without = Proof { extra: None, ..Proof::read(&proof).unwrap() };
    let found = disclose(event.as_bytes(), &without.text(), &show);
    assert_eq!(fault(found), LogFault::NoStatement);
    let moved = proof.replace("\nindex 1\n", "\nindex 0\n");
    assert_eq!(fault(disclose(event.as_bytes(), &moved, &show)), LogFault::Inclusion);
    assert!(disclose(b"{", &proof, &show).is_err());
}

#[test]
fn no_hash_of_the_content_is_shown() {
    let digest = "5c88e7a226e11ad1204cb8d30cd5d6ff6cba69bc32da73134928e17c90c54086";
    let base = event();
    let with = |member: &str| base.replace(r#""action""#, &format!(r#"{member},"action""#));
    for (event, name) in [
        (base.clone(), "eventID"),
        (base.replace("ni:///sha-256", "NI:///Sha-256"), "eventID"),
        (base.replace("ni:///sha-256;", "ni://example.com/sha-256;"), "/eventID"),
        (base.replace("ni:///sha-256;", "https://example.com/.well-known/ni/sha-256/"), "eventID"),
        (base.replace("\"ni:///", "\"\\u006ei:///"), "eventID"),
        (with(&format!(r#""ex:copy":["a",{{"b":"x {} y"}}]"#, digest.to_uppercase())), "ex:copy"),
        (with(&format!(r#""ex:copy":{{"{digest}":1}}"#)), "/ex:copy"),
        (with(&format!(r#""ex:{digest}":1"#)), &format!("ex:{digest}")),
        (
            with(r#""errorDeclaration":{"correctiveEventIDs":["ni:///sha-256;00?ver=CBV2.0"]}"#),
            "errorDeclaration",
        ),
    ] {
        let found = fault(shown(&event, &[name]));
        assert!(matches!(found, LogFault::HashShown(_)), "{event}: {found:?}");
        let fields = choices(&event);
        let field =
            fields.iter().find(|field| [&field.name, &field.pointer].contains(&&name.to_owned()));
        assert!(!field.unwrap().can_be_shown);
        // The other fields can still be shown.
        assert!(judged(&shown(&event, &["bizStep"]).unwrap()).proof.valid);
    }
    // 63 hexadecimal digits are not a SHA-256 hash, and a plain word is not a URI.
    for harmless in [&digest[1..], "ni: sha-25", "the sha-256 of something"] {
        let event = with(&format!(r#""ex:copy":"{harmless}""#));
        assert!(judged(&shown(&event, &["ex:copy"]).unwrap()).proof.valid);
    }
}

/// A disclosure as JSON data, so that it can be changed.
fn parts(disclosure: &str) -> Value {
    serde_json::from_str(disclosure).unwrap()
}

#[test]
fn what_is_changed_about_a_disclosure_is_seen() {
    let event = event();
    let disclosure =
        shown(&event, &["epcList", "bizStep", "action", "ex:weight", "spine:who"]).unwrap();
    let good = parts(&disclosure.replace("12.50", "\"12.50\""));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = good.clone();
        change(&mut changed);
        changed.to_string().replace("\"12.50\"", "12.50")
    };
    assert_eq!(failed(&with(&|_| ())), None);
    // The discloser chooses which fields to show, and in which order.
    assert_eq!(failed(&with(&|all| drop(all["fields"].as_array_mut().unwrap().remove(1)))), None);
    assert_eq!(failed(&with(&|all| all["fields"].as_array_mut().unwrap().reverse())), None);

    let other_event = event.replace("shipping", "receiving");
    let other = parts(&shown(&other_event, &["epcList", "bizStep"]).unwrap());
    let other_salt = disclose(
        event.as_bytes(),
        &proven_with(&event, [8; 32]),
        &["bizStep".to_owned(), "epcList".to_owned()],
    );
    let other_salt = parts(&other_salt.unwrap());
    let statement = good["statement"].as_str().unwrap().to_owned();
    let at = |pointer: &str| {
        let fields = good["fields"].as_array().unwrap();
        fields.iter().position(|field| field["pointer"] == pointer).unwrap()
    };
    let (first, second, step, action) =
        (at("/epcList/0"), at("/epcList/1"), at("/bizStep"), at("/action"));
    let in_other = |other: &Value| {
        other["fields"]
            .as_array()
            .unwrap()
            .iter()
            .find(|field| field["pointer"] == "/bizStep")
            .unwrap()
            .clone()
    };
    let path = |all: &Value, at: usize| -> Vec<Hash> {
        let path = all["fields"][at]["path"].as_array().unwrap().iter();
        path.map(|hash| {
            BASE64.decode(hash.as_str().unwrap().as_bytes()).unwrap().try_into().unwrap()
        })
        .collect()
    };
    let leaf = |all: &Value, at: usize| {
        let field = &all["fields"][at];
        leaf_hash(&field_entry(
            &hex(&field["salt"]),
            field["pointer"].as_str().unwrap(),
            &field["value"].to_string(),
        ))
    };
    let swapped = |all: &mut Value, one: usize, other: usize, names: &[&str]| {
        for name in names {
            let kept = all["fields"][one][*name].clone();
            all["fields"][one][*name] = all["fields"][other][*name].clone();
            all["fields"][other][*name] = kept;
        }
    };
    let field = |name: &str, value: Value| with(&|all| all["fields"][step][name] = value.clone());
    let top = |name: &str, value: Value| with(&|all| all[name] = value.clone());
    let stated = |from: &str, to: &str| top("statement", json!(statement.replace(from, to)));
    let changed = |change: &dyn Fn(&mut Vec<Value>)| {
        with(&|all| change(all["fields"].as_array_mut().unwrap()))
    };
    let on_path = |change: &dyn Fn(&mut Vec<Value>)| {
        with(&|all| change(all["fields"][step]["path"].as_array_mut().unwrap()))
    };
    let swap =
        |one: usize, other: usize, names: &[&str]| with(&|all| swapped(all, one, other, names));
    let base64 = |bytes: &[u8]| json!(BASE64.encode(bytes));
    let hashes = |count: usize| field("path", json!(vec![base64(&[0; 32]); count]));
    // Passes an inner node off as the field, as if the tree had one level less.
    let as_leaf = with(&|all| {
        let (hashes, index) = (path(all, step), all["fields"][step]["index"].as_u64().unwrap());
        let leaf = leaf(all, step);
        let node = if index % 2 == 0 {
            node_hash(&leaf, &hashes[0])
        } else {
            node_hash(&hashes[0], &leaf)
        };
        all["fields"][step]["index"] = json!(index / 2);
        all["fields"][step]["path"].as_array_mut().unwrap().remove(0);
        all["fields"][step]["value"] = base64(&node);
    });
    let of_fields = [
        ("moved to another index", field("index", json!(0))),
        ("an index beyond the event", field("index", json!(18))),
        ("shown twice", changed(&|fields| fields.push(fields[step].clone()))),
        ("of another event", changed(&|fields| fields[step] = in_other(&other))),
        ("of another leaf of the event", changed(&|fields| fields[step] = in_other(&other_salt))),
        ("another salt", field("salt", good["fields"][action]["salt"].clone())),
        ("another pointer", field("pointer", json!("/disposition"))),
        ("another pointer, both fields", swap(step, action, &["pointer"])),
        ("another value", field("value", json!("receiving"))),
        ("a value in a list", field("value", json!(["shipping"]))),
        ("no digits that the event has", with(&|_| ()).replace("12.50", "12.5")),
        ("entries swapped", swap(first, second, &["value"])),
        ("entries swapped with their pointers", swap(first, second, &["value", "pointer"])),
        (
            "entries swapped with all but their places",
            swap(first, second, &["value", "pointer", "salt"]),
        ),
        ("the sibling's path", swap(first, second, &["path"])),
        ("no path", hashes(0)),
        ("a path of 63 hashes", hashes(63)),
        ("one hash more", on_path(&|path| path.push(base64(&[0; 32])))),
        ("a node for a leaf", as_leaf),
        ("a leaf for a node", on_path(&|path| path.insert(0, base64(&leaf(&good, step))))),
        ("fewer leaves", stated("\n18 ", "\n9 ")),
        ("more leaves", stated("\n18 ", "\n4000 ")),
        ("one leaf more", stated("\n18 ", "\n19 ")),
        ("fewer leaves than are shown", stated("\n18 ", "\n1 ")),
        ("no fields", top("fields", json!([]))),
        ("the statement of another leaf", top("statement", other["statement"].clone())),
    ];
    let of_proof = [
        ("another time", stated("10:00:01", "10:00:02")),
        ("another observer", stated("417/952", "417/951")),
        ("another salt of the commitment", top("salt", other_salt["salt"].clone())),
        ("another proof", top("proof", other["proof"].clone())),
    ];
    let twice =
        with(&|_| ()).replace(r#""value":"shipping""#, r#""value":"receiving","value":"shipping""#);
    let of_form = [
        ("an index beyond 2^64", field("index", json!(18_446_744_073_709_551_616_f64))),
        ("an index with a fraction", field("index", json!(7.0))),
        ("an index as text", field("index", json!("7"))),
        ("a path of 64 hashes", hashes(64)),
        ("a path that is none", field("path", json!("x"))),
        ("a hash of 31 bytes", on_path(&|path| path[0] = base64(&[0; 31]))),
        ("no leaves", stated("\n18 ", "\n0 ")),
        ("a statement of another version", stated("/v2", "/v1")),
        ("a proof with its salt", top("proof", json!(proven(&event)))),
        ("no proof", top("proof", json!("c2sp.org/tlog-proof@v1\n"))),
        ("another type", top("type", json!("epcis-edge/disclosure/v2"))),
        ("a member more", top("note", json!("all is well"))),
        ("a member of a field more", field("note", json!("all is well"))),
        ("a member less", with(&|all| drop(all.as_object_mut().unwrap().remove("salt")))),
        ("a value twice", twice),
        ("fields that are none", top("fields", json!({}))),
        ("a field that is none", changed(&|fields| fields[0] = json!("x"))),
        ("a list", "[]".to_owned()),
        ("nothing", String::new()),
        ("no JSON", disclosure.replace("],", "]")),
        ("the event", event.clone()),
    ];
    let cases = [("fields", &of_fields[..]), ("inclusion", &of_proof), ("disclosure", &of_form)];
    let cases = cases
        .into_iter()
        .flat_map(|(step, cases)| cases.iter().map(move |(what, text)| (what, step, text)));
    for (what, step, text) in cases {
        assert_ne!(*text, disclosure, "{what}");
        assert_eq!(failed(text), Some(step), "{what}");
    }
    let no_log = verify_disclosure(disclosure.as_bytes(), "quorum none\n", NOW).unwrap();
    assert!(!no_log.proof.valid && no_log.fields.is_empty());
    assert!(matches!(
        fault(verify_disclosure(disclosure.as_bytes(), "", NOW)),
        LogFault::Policy { .. }
    ));
}

#[test]
fn a_value_may_be_spelt_otherwise() {
    let event = event().replace(
        r#"{"id":"urn:epc:id:sgln:9521141.00001.0"}"#,
        r#"{"b":"\u00e9/","a":[1.0,null]}"#,
    );
    let disclosure = shown(&event, &["readPoint", "bizStep"]).unwrap();
    let canonical = r#"{"a":[1.0,null],"b":"é/"}"#;
    assert!(disclosure.contains(canonical));
    let expected = judged(&disclosure).fields;
    for spelt in
        [r#" { "b" : "\u00E9\/" , "\u0061" : [ 1.0 , null ] } "#, r#"{"b":"é/","a":[1.0,null]}"#]
    {
        let verdict = judged(&disclosure.replace(canonical, spelt));
        assert!(verdict.proof.valid, "{spelt}");
        assert_eq!(verdict.fields, expected);
    }
    for other in [
        r#"{"a":[1.00,null],"b":"é/"}"#,
        r#"{"a":[null,1.0],"b":"é/"}"#,
        r#"{"a":[1.0,null],"b":"e\u0301/"}"#,
    ] {
        assert_eq!(failed(&disclosure.replace(canonical, other)), Some("fields"), "{other}");
    }
}

#[test]
fn no_flipped_byte_of_a_disclosure_shows_anything_else() {
    let disclosure = shown(&event(), &["epcList", "bizStep", "ex:weight"]).unwrap();
    let expected = judged(&disclosure);
    let mut still = 0;
    for at in 0..disclosure.len() {
        let mut broken = disclosure.clone().into_bytes();
        broken[at] ^= 1 << (at % 8);
        let verdict = verify_disclosure(&broken, &policy(), NOW).unwrap();
        if verdict.proof.valid {
            assert_eq!(verdict, expected, "byte {at}");
            still += 1;
        }
    }
    // Only changes to white space between members pass.
    assert!(still < 10, "{still}");
}

/// Attacks by someone who knows everything about an event except one value.
#[test]
fn nothing_confirms_a_guess_at_what_is_withheld() {
    let event = event();
    let show: Vec<String> = choices(&event)
        .into_iter()
        .filter(|field| field.can_be_shown && field.name != "disposition")
        .map(|field| field.name)
        .collect();
    assert_eq!(show.len(), 13);
    let disclosure = disclose(event.as_bytes(), &proven(&event), &show).unwrap();
    let all = parts(&disclosure);
    // Every hash in the disclosure that a guess could be compared with.
    let mut seen: BTreeSet<Hash> = BTreeSet::new();
    let mut salts: Vec<Hash> = vec![hex(&all["salt"])];
    for field in all["fields"].as_array().unwrap() {
        salts.push(hex(&field["salt"]));
        for hash in field["path"].as_array().unwrap() {
            let hash = BASE64.decode(hash.as_str().unwrap().as_bytes()).unwrap();
            seen.insert(hash.try_into().unwrap());
        }
    }
    let statement = all["statement"].as_str().unwrap();
    for word in statement.split(['\n', ' ']) {
        if let Ok(bytes) = HEXLOWER.decode(word.as_bytes()) {
            seen.extend(<Hash>::try_from(bytes).ok());
        }
    }
    let proof = Proof::read(all["proof"].as_str().unwrap()).unwrap();
    seen.extend(proof.path);
    seen.extend(salts.clone());
    salts.extend(seen.iter().copied().collect::<Vec<_>>());
    salts.push([0; 32]);
    assert!(seen.len() > 20);
    // With the salt of the withheld field, its leaf is among these hashes. So the search below would find a match if one were
    // possible.
    let right = mac(&SALT, b"field:/disposition");
    assert!(seen.contains(&leaf_hash(&field_entry(&right, "/disposition", "\"in_transit\""))));
    for guess in ["in_progress", "in_transit", "active"] {
        let guessed = event.replace("in_transit", guess);
        let value = format!("\"{guess}\"");
        let mut messages: Vec<Vec<u8>> = vec![
            guessed.clone().into_bytes(),
            value.clone().into_bytes(),
            guess.as_bytes().to_vec(),
            b"/disposition".to_vec(),
            b"field:/disposition".to_vec(),
            format!("/disposition\n{value}").into_bytes(),
            format!("epcis-edge/field/v1\n/disposition\n{value}").into_bytes(),
        ];
        let read = Document::read(guessed.as_bytes()).unwrap();
        for profile in Profile::ALL {
            for hash in pre_hash_document(&read, profile).into_iter().flatten() {
                messages.push(hash.pre_hash.into_bytes());
                messages.push(hash.hash.digest().to_vec());
                messages.push(hash.hash.to_string().into_bytes());
            }
        }
        let mut tried = 0;
        let mut is_found = |hash: Hash| {
            tried += 1;
            seen.contains(&hash)
        };
        for message in &messages {
            assert!(!is_found(Sha256::digest(message).into()), "{guess}");
            assert!(!is_found(leaf_hash(message)), "{guess}");
        }
        for salt in &salts {
            for message in &messages {
                assert!(!is_found(mac(salt, message)), "{guess}");
                let salted = [salt.as_slice(), message].concat();
                assert!(!is_found(Sha256::digest(&salted).into()), "{guess}");
                assert!(!is_found(leaf_hash(&salted)), "{guess}");
            }
            for key in [mac(salt, b"field:/disposition"), mac(salt, b"event"), *salt] {
                let leaf = leaf_hash(&field_entry(&key, "/disposition", &value));
                assert!(!is_found(leaf), "{guess}");
                assert!(!is_found(mac(&key, guessed.as_bytes())), "{guess}");
                for other in &seen {
                    assert!(!seen.contains(&node_hash(&leaf, other)));
                    assert!(!seen.contains(&node_hash(other, &leaf)));
                }
            }
            let again = Statement::of_stored(&guessed, &digest_of_document(), salt).unwrap();
            assert!(!is_found(again.event) && !is_found(again.field_root));
        }
        assert!(tried > 1000, "{tried}");
    }
    // The disclosure of an event with another withheld value shows the same values with other salts, so it reveals nothing either.
    let other = event.replace("in_transit", "in_progress");
    let other = disclose(other.as_bytes(), &proven_with(&other, [9; 32]), &show).unwrap();
    let other = parts(&other);
    assert_ne!(all["salt"], other["salt"]);
    for (one, other) in
        all["fields"].as_array().unwrap().iter().zip(other["fields"].as_array().unwrap())
    {
        assert_eq!(one["value"], other["value"]);
        assert_ne!(one["salt"], other["salt"]);
    }
}

/// HMAC-SHA256, written out from RFC 2104.
fn mac(key: &Hash, message: &[u8]) -> Hash {
    let pad = |byte: u8| -> Vec<u8> {
        let mut block = vec![byte; 64];
        for (byte, of_key) in block.iter_mut().zip(key) {
            *byte ^= of_key;
        }
        block
    };
    let inner = Sha256::digest([pad(0x36).as_slice(), message].concat());
    Sha256::digest([pad(0x5c).as_slice(), &inner].concat()).into()
}

fn event_with(count: usize) -> String {
    let epcs: Vec<String> =
        (0..count).map(|at| format!(r#""urn:epc:id:sgtin:9521141.0123.{at}""#)).collect();
    format!(r#"{{"type":"ObjectEvent","epcList":[{}],{STAMPS}}}"#, epcs.join(","))
}

#[test]
fn a_disclosure_has_bounds() {
    let event = event_with(10_000);
    let proof = proven(&event);
    let show = ["epcList".to_owned()];
    let disclosure = disclose(event.as_bytes(), &proof, &show).unwrap();
    let verdict = judged(&disclosure);
    assert!(verdict.proof.valid);
    assert_eq!((verdict.fields.len(), verdict.withheld), (10_000, Some(4)));
    // How long it takes: tests/examples/log_speed.rs.
    let long = event_with(30_000);
    let found = fault(disclose(long.as_bytes(), &proven(&long), &show));
    assert!(matches!(found, LogFault::Disclosure(_)), "{found:?}");
    let blanks = format!("{disclosure}{}", " ".repeat(MAX_DISCLOSURE));
    assert_eq!(failed(&blanks), Some("disclosure"));
    let deep = "[".repeat(2_000_000);
    assert_eq!(failed(&deep), Some("disclosure"));
    let many = format!(
        r#"{{"type":"epcis-edge/disclosure/v1","fields":[{}0],"statement":"","salt":"","proof":""}}"#,
        "0,".repeat(5_000_000)
    );
    assert_eq!(failed(&many), Some("disclosure"));
}
