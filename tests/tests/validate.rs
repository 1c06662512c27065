//! Validation: the outside vectors, the project's own, and the crate itself as the yardstick on mutants.

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::{MAX_ERRORS, SCHEMA_PIN, Validator, Verdict};
use epcis_edge_schema::TEXT as SCHEMA;
use epcis_edge_tests::{entries, outside_vectors, own_vectors, read, read_json};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

type Pairs = BTreeSet<(String, String)>;

fn pairs(verdict: &Verdict) -> Pairs {
    let pairs: Pairs = verdict
        .errors
        .iter()
        .map(|error| (error.path.clone(), error.keyword.clone()))
        .collect();
    assert_eq!(
        pairs.len(),
        verdict.errors.len(),
        "one entry per path and keyword: {:?}",
        verdict.errors
    );
    pairs
}

/// The pairs of `expected.json`, as the crate reports them.
fn pairs_of(expected: &Value) -> Pairs {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    expected
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (text(&pair[0]), text(&pair[1])))
        .collect()
}

/// The one-cause rule, stated on its own: below a document or event without `type` only `required` is left.
fn one_cause(document: &Value, pairs: &Pairs) -> Pairs {
    let typeless = |path: &str| {
        document
            .pointer(path)
            .is_some_and(|at| at.is_object() && at.get("type").is_none())
    };
    let mut result = Pairs::new();
    for (path, keyword) in pairs {
        let event = [
            "/epcisBody/eventList/",
            "/epcisBody/queryResults/resultsBody/eventList/",
        ]
        .iter()
        .find_map(|list| {
            let index = path.strip_prefix(list)?.split('/').next()?;
            Some(format!("{list}{index}"))
        });
        let owner = if typeless("") {
            Some(String::new())
        } else {
            event.filter(|event| typeless(event))
        };
        result.insert(owner.map_or_else(
            || (path.clone(), keyword.clone()),
            |owner| (owner, "required".to_owned()),
        ));
    }
    result
}

/// The files where the one-cause rule changes what the crate reports, with the entries that it removes.
const ONE_CAUSE_EFFECT: [(&str, usize); 2] = [
    ("i-own-event-no-type.json", 2),
    ("i-own-root-no-type.json", 4),
];

#[test]
fn outside_vectors_have_the_verdict_and_the_errors_of_the_crate() {
    let Some(folder) = outside_vectors("validate") else {
        return;
    };
    let expected = read_json(&folder.join("expected.json"));
    let validator = Validator::new().unwrap();
    let mut effects = Vec::new();
    let mut count = 0;
    for (name, expected) in expected.as_object().unwrap() {
        count += 1;
        let bytes = read(&folder.join(name));
        let document = Document::read(&bytes);
        if expected["jsonschema"] == "parse error" {
            assert!(document.is_err(), "{name} must be refused");
            continue;
        }
        let verdict = validator.validate(&document.unwrap());
        assert_eq!(verdict.valid, expected["jsonschema"] == "valid", "{name}");
        let theirs = pairs_of(&expected["jsonschema_errors"]);
        let ruled = one_cause(&serde_json::from_slice(&bytes).unwrap(), &theirs);
        if ruled != theirs {
            effects.push((name.as_str(), theirs.len() - ruled.len()));
        }
        assert_eq!(pairs(&verdict), ruled, "{name}");
    }
    assert_eq!(count, 89);
    effects.sort_unstable();
    assert_eq!(effects, ONE_CAUSE_EFFECT);
}

#[test]
fn own_vectors_have_their_errors_and_messages() {
    let validator = Validator::new().unwrap();
    let cases = entries(&own_vectors("validate"));
    assert!(cases.len() >= 20, "{} cases", cases.len());
    for case in cases {
        let bytes = read(&case.join("input.json"));
        let verdict = validator.validate(&Document::read(&bytes).unwrap());
        let found = serde_json::to_value(&verdict.errors).unwrap();
        assert_eq!(
            found,
            read_json(&case.join("expected.json")),
            "{}",
            case.display()
        );
        assert_eq!(verdict.valid, verdict.errors.is_empty());
    }
}

#[test]
fn the_embedded_schema_is_the_pinned_one() {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(SCHEMA.as_bytes());
    let digest = digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    });
    assert_eq!(
        digest,
        "0f46ff694efffd8d8ce840a33dfde84228add11b516b8b258f3200740ae210af"
    );
    assert_eq!(digest, SCHEMA_PIN.sha256);
    assert_eq!(SCHEMA.len(), 55_680);
}

/// Our reading of the document in place, in groups, must find what the stock crate finds in one piece.
#[test]
fn mutants_get_the_errors_of_the_stock_crate() {
    let ours = Validator::new().unwrap();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let stock = jsonschema::options()
        .should_validate_formats(true)
        .with_format("date-time", epcis_edge_schema::is_date_time)
        .build(&schema)
        .unwrap();
    let mut folders = vec![];
    for case in entries(&own_vectors("validate")) {
        folders.push(case.join("input.json"));
    }
    if let Some(folder) = outside_vectors("validate") {
        folders.extend(
            entries(&folder)
                .into_iter()
                .filter(|path| path.extension().is_some_and(|ext| ext == "json")),
        );
    }
    let mut random = Random(20_261_120);
    let mut compared = 0;
    let mut invalid = 0;
    for path in folders {
        let Ok(document) = serde_json::from_slice::<Value>(&read(&path)) else {
            continue;
        };
        for round in 0..25 {
            let mut mutant = document.clone();
            for _ in 0..round % 4 {
                mutate(&mut mutant, &mut random);
            }
            let text = serde_json::to_vec(&mutant).unwrap();
            let verdict = ours.validate(&Document::read(&text).unwrap());
            let theirs: Pairs = stock
                .iter_errors(&mutant)
                .map(|error| {
                    (
                        error.instance_path().as_str().to_owned(),
                        error.kind().keyword().to_owned(),
                    )
                })
                .collect();
            assert_eq!(
                verdict.valid,
                theirs.is_empty(),
                "{}: {mutant}",
                path.display()
            );
            assert_eq!(
                pairs(&verdict),
                one_cause(&mutant, &theirs),
                "{}: {mutant}",
                path.display()
            );
            compared += 1;
            invalid += usize::from(!verdict.valid);
        }
    }
    assert!(
        compared >= 500 && invalid >= 250,
        "{compared} compared, {invalid} invalid"
    );
    println!("{compared} documents compared with the stock crate, {invalid} of them invalid");
}

/// Xorshift: the same mutants in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

/// One random change at a random place.
fn mutate(value: &mut Value, random: &mut Random) {
    let size = match value {
        Value::Array(elements) => elements.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    if size == 0 || random.below(6) == 0 {
        let words = [
            json!("shipping"),
            json!("no uri"),
            json!("urn:epc:id:sscc:4012345.0000000333"),
            json!(null),
            json!(5.5),
            json!([]),
            json!({}),
            json!("2026-01-04T08:30:00Z"),
            json!("ADD"),
            json!(true),
            json!([1, 1.0]),
            json!({"type": "x:y"}),
            json!("TransformationEvent"),
            json!(""),
            json!(["urn:a", "urn:a"]),
        ];
        *value = words[random.below(words.len())].clone();
        return;
    }
    let at = random.below(size);
    match value {
        Value::Array(elements) => match random.below(5) {
            0 => drop(elements.remove(at)),
            1 => elements.push(elements[at].clone()),
            _ => mutate(&mut elements[at], random),
        },
        Value::Object(members) => {
            let name = members.keys().nth(at).unwrap().clone();
            match random.below(6) {
                0 => drop(members.remove(&name)),
                1 => {
                    let member = members.remove(&name).unwrap();
                    members.insert(format!("{name}x"), member);
                }
                2 => drop(members.insert("ext:added".to_owned(), json!(1))),
                _ => mutate(members.get_mut(&name).unwrap(), random),
            }
        }
        _ => {}
    }
}

/// A document of many events, of which those at `faulty` have a misspelt `bizStep`.
fn many_events(count: usize, faulty: impl Fn(usize) -> bool) -> String {
    let mut text = String::from(
        r#"{"@context":"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld","type":"EPCISDocument",
            "schemaVersion":"2.0","creationDate":"2026-01-04T08:30:00Z","epcisBody":{"eventList":["#,
    );
    for index in 0..count {
        let step = if faulty(index) { "shiping" } else { "shipping" };
        let comma = if index == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"type":"ObjectEvent","eventTime":"2026-01-04T08:30:00Z","eventTimeZoneOffset":"+00:00","epcList":[],
               "action":"OBSERVE","bizStep":"{step}"}}"#
        )
        .unwrap();
    }
    text.push_str("]}}");
    text
}

#[test]
fn errors_keep_their_index_across_groups_and_stop_at_the_limit() {
    let validator = Validator::new().unwrap();
    let text = many_events(300, |index| [0, 63, 64, 299].contains(&index));
    let verdict = validator.validate(&Document::read(text.as_bytes()).unwrap());
    let paths: Vec<_> = verdict
        .errors
        .iter()
        .map(|error| error.path.as_str())
        .collect();
    assert_eq!(
        paths,
        [0, 63, 64, 299].map(|index| format!("/epcisBody/eventList/{index}/bizStep"))
    );

    let text = many_events(1500, |_| true);
    let verdict = validator.validate(&Document::read(text.as_bytes()).unwrap());
    assert_eq!(verdict.errors.len(), MAX_ERRORS);
    let last = &verdict.errors[MAX_ERRORS - 1];
    assert_eq!(last.path, "/epcisBody/eventList/999/bizStep");
    assert!(
        last.message
            .ends_with("; 501 errors in all from here on, the rest is not listed"),
        "{}",
        last.message
    );
}

#[test]
fn errors_stand_in_document_order() {
    let validator = Validator::new().unwrap();
    let text = r#"{"epcisBody":{"eventList":[{"epcList":["no uri"],"bizStep":"shiping","type":"ObjectEvent","action":"ADD",
        "eventTimeZoneOffset":"Z","eventTime":"2026"}]},"type":"EPCISDocument","schemaVersion":"x",
        "@context":[],"creationDate":"2026"}"#;
    let verdict = validator.validate(&Document::read(text.as_bytes()).unwrap());
    let paths: Vec<_> = verdict
        .errors
        .iter()
        .map(|error| error.path.as_str())
        .collect();
    let event = "/epcisBody/eventList/0";
    assert_eq!(
        paths,
        [
            event,
            &format!("{event}/epcList/0"),
            &format!("{event}/bizStep"),
            &format!("{event}/eventTimeZoneOffset"),
            &format!("{event}/eventTime"),
            "/schemaVersion",
            "/creationDate"
        ]
    );
}
