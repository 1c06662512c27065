//! Generates the documentation of the checks from their data, and checks that it is current. `EPCIS_EDGE_BLESS=1` writes it.

use epcis_edge_core::check::{PACKS, PROFILES, Pack};
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{entries, own_vectors, read_json, repository};
use serde_json::Value;
use std::fmt::Write as _;

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// The texts of a value that is one text or a list of texts.
fn list(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    }
}

fn quoted(list: &[&str]) -> String {
    let quoted: Vec<String> = list.iter().map(|one| format!("`{one}`")).collect();
    quoted.join(", ")
}

fn source(rule: &Value) -> String {
    match rule["source"]["clause"].as_str() {
        Some(clause) => format!("{}, {clause}", text(&rule["source"], "document")),
        None => text(&rule["source"], "document").to_owned(),
    }
}

/// The page of a pack.
fn page(pack: &Value) -> String {
    let name = text(pack, "name");
    let mut page = format!(
        "# The pack `{name}`\n\n{}\n\nMade from `core/rules/src/packs/{name}.json` by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it check_docs::`; [the language](language.md), [the other packs](README.md).\n",
        text(pack, "about"),
    );
    let rules = pack["rules"].as_array().unwrap();
    page.push_str("\n| rule | severity | what it says |\n|---|---|---|\n");
    for rule in rules {
        let (id, severity, message) =
            (text(rule, "id"), text(rule, "severity"), text(rule, "message"));
        let _ = writeln!(page, "| [`{id}`](#{id}) | {severity} | {message} |");
    }
    for rule in rules {
        let id = text(rule, "id");
        let _ = writeln!(
            page,
            "\n## {id}\n\n**{}**: {}.",
            text(rule, "severity"),
            text(rule, "message")
        );
        if let Some(note) = rule["note"].as_str() {
            let _ = writeln!(page, "{note}");
        }
        page.push('\n');
        let _ = writeln!(page, "- Source: {}.", source(rule));
        let _ = writeln!(page, "- Judges: {}.", judged(pack, rule));
        if rule["on"].is_array() {
            let _ = writeln!(page, "- Of: {}.", quoted(&list(&rule["on"])));
        }
        let vector = read_json(&own_vectors("check").join(name).join(format!("{id}.json")));
        for (title, cases) in [("Breaks it", "breaks"), ("Nearly does", "nearly")] {
            let notes: Vec<&str> =
                vector[cases].as_array().unwrap().iter().map(|case| text(case, "note")).collect();
            let _ = writeln!(page, "- {title}: {}.", notes.join("; "));
        }
        let condition = serde_json::to_string(&rule["when"]).unwrap();
        let _ = writeln!(page, "- Holds when `{condition}`.");
    }
    page
}

fn judged(pack: &Value, rule: &Value) -> String {
    if rule["at"].is_null() {
        let is_of_document = rule["on"] == "document";
        return if is_of_document { "the document" } else { "the event" }.to_owned();
    }
    let mut fields = Vec::new();
    for place in list(&rule["at"]) {
        match place.strip_prefix('$') {
            Some(set) => fields.extend(list(&pack["sets"][set])),
            None => fields.push(place),
        }
    }
    quoted(&fields)
}

/// The description of the language, from the published schema.
fn language(schema: &Value) -> String {
    let mut page = String::from(
        "# The language of the checks\n\nMade from `schemas/check-pack.schema.json` by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it check_docs::`.\n\n\
         A pack is a JSON file: rules, each with what it judges (`at`) and when it finds something (`when`).\n\
         The language has no loops, no variables and no code; a condition costs a bounded time for each value that is judged, so checking is linear in the document, and its steps are counted up to a limit.\n\
         What it does not have is refused with its place in the pack: another version, an unknown member, field or word, a value of the wrong type.\n\n\
         ```json\n{\n  \"version\": 1,\n  \"name\": \"dock\",\n  \"rules\": [\n    {\n      \"id\": \"shipped-from-nowhere\",\n      \"severity\": \"error\",\n      \"message\": \"what is shipped leaves a place of ours\",\n      \"source\": { \"document\": \"Rules of the dock\" },\n      \"at\": \"bizStep\",\n      \"when\": { \"all\": [{ \"in\": \"shipping\" }, { \"not\": { \"value\": \"readPoint.id\", \"startsWith\": \"urn:epc:id:sgln:9521141.\" } }] }\n    }\n  ]\n}\n```\n",
    );
    let section = |page: &mut String, title: &str, properties: &Value| {
        let _ = write!(page, "\n## {title}\n\n| member | what it is |\n|---|---|\n");
        for (name, property) in properties.as_object().unwrap() {
            if let Some(says) = property["description"].as_str() {
                let _ = writeln!(page, "| `{name}` | {says} |");
            }
        }
    };
    section(&mut page, "A pack", &schema["properties"]);
    section(&mut page, "A rule", &schema["$defs"]["rule"]["properties"]);
    page.push_str(
        "\nA path is a field of the standard, `readPoint.id`, `quantityList.epcClass`, `sensorElementList.sensorReport.type`; in `when` `.` is the value that is judged and `.name` something in it.\n\
         Of a field with several values one is enough.\n\
         A path may also be a name outside of the standard, `hc:dropShipment` or `ilmd.mda:lotNumber`, whose prefix the pack binds with `namespaces`; below it names need no prefix. Such a value may be a text, a number or a boolean, and is read as a text: XML knows no others. Of an element with attributes the text is its `#text`.\n\
         A rule with `on: \"document\"` is asked once. Its paths begin with `schemaVersion`, `creationDate`, `sender`, `receiver`, `instanceIdentifier` or `epcisHeader`; at `masterData.Location` it judges each element of that vocabulary in the header.\n\
         `made` is the event that brings a thing into being in this document: an ObjectEvent with the action ADD, or a transformation; `made.ilmd.mda:lotNumber` is a value there. `packed` is an AggregationEvent with the action ADD whose parent the thing is, `put` one whose child it is, `shipped` an event with the step `shipping` that names it, or a unit that it was put into; `shipped.eventTime` is a value there. `masterData.Location` is what the header says of a place, `masterData.EPCClass.mda:regulatedProductName` an attribute of a product; its instances, lots and patterns share one. `of` names the identifier.\n\
         Of an event that declares an error, or that is declared wrong, no rule is asked, unless the pack has `judgesWithdrawn`: `declares-absent` and `absent` need it.\n\
         A rule that judges the values of a list asks no other list of the event, and compares nothing with a list.\n\
         A text of another field that is longer than 2,048 bytes satisfies no test but `exists`.\n\
         \n## A condition\n\nEach has one of these members, and may name what it asks about as `value`.\n\n| member | when it holds |\n|---|---|\n",
    );
    for condition in schema["$defs"]["condition"]["oneOf"].as_array().unwrap() {
        let name = condition["required"][0].as_str().unwrap();
        let _ = writeln!(
            page,
            "| `{name}` | {} |",
            text(&condition["properties"][name], "description")
        );
    }
    page.push_str("\n## The forms\n\n| word of `form` | the value is |\n|---|---|\n");
    for form in schema["$defs"]["form"]["oneOf"].as_array().unwrap() {
        let name = form["const"].as_str().unwrap_or("digits:8-14");
        let _ = writeln!(page, "| `{name}` | {} |", text(form, "description"));
    }
    page.push_str("\nA pack has at most 200 rules and 4,096 texts, a rule 32 conditions in at most 8 levels, and a pack 64 conditions about all events.\n\n## What a pack may cost\n\nThe steps that rules take are counted while they run: for each condition the values that it looks at, and their bytes, once for each text that is looked for in them. A step is about a nanosecond.\nAt 4,000,000,000 steps the check ends with a refusal, and at `POST /check`, which wants no key, at a tenth of that; the refusal names the rule that was at work. The packs of this project are not counted.\nA condition about a field of the event, not about the value that is judged, is asked once an event: it costs the same for one EPC and for a hundred thousand.\n\n## The words of `is`\n\n| word | the value |\n|---|---|\n");
    for word in schema["$defs"]["word"]["oneOf"].as_array().unwrap() {
        let _ = writeln!(page, "| `{}` | {} |", text(word, "const"), text(word, "description"));
    }
    page.push_str("\nWhat only the whole document tells stands by itself, and only in `all`: it is known when all events were seen.\n");
    page
}

/// Asserts that a page is current.
fn hold(name: &str, page: &str) {
    let path = repository().join("docs/checks").join(name);
    if is_on("EPCIS_EDGE_BLESS") {
        std::fs::write(&path, page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/checks/{name} is stale: EPCIS_EDGE_BLESS=1 writes it anew");
}

#[test]
fn every_pack_has_its_page() {
    for (name, text) in PACKS.into_iter().chain(PROFILES) {
        let pack: Value = serde_json::from_str(text).unwrap();
        hold(&format!("{name}.md"), &page(&pack));
    }
}

#[test]
fn the_language_has_its_page() {
    let schema = read_json(&repository().join("schemas/check-pack.schema.json"));
    hold("language.md", &language(&schema));
}

/// The published schema accepts the built-in packs and the vectors of the language, and refuses packs whose shape the reader refuses.
#[test]
fn the_published_schema_is_that_of_the_reader() {
    let schema = read_json(&repository().join("schemas/check-pack.schema.json"));
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (name, text) in PACKS.into_iter().chain(PROFILES) {
        let pack: Value = serde_json::from_str(text).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&pack).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert!(Pack::read(text.as_bytes()).is_ok());
        // Each built-in pack with one member broken.
        for pointer in [
            "/version",
            "/name",
            "/rules",
            "/rules/0/id",
            "/rules/0/severity",
            "/rules/0/message",
            "/rules/0/source",
            "/rules/0/when",
        ] {
            for broken in [
                Value::Null,
                Value::from(7),
                Value::from(""),
                Value::from("A b"),
                serde_json::json!({"none": 1}),
                serde_json::json!([]),
            ] {
                let mut pack = pack.clone();
                *pack.pointer_mut(pointer).unwrap() = broken.clone();
                if pack.pointer(pointer)
                    == serde_json::from_str::<Value>(text).unwrap().pointer(pointer)
                {
                    continue;
                }
                let is_text = pointer == "/rules/0/message" && broken == "A b";
                assert_eq!(validator.is_valid(&pack), is_text, "{name} {pointer} {broken}");
                assert_eq!(
                    Pack::read(pack.to_string().as_bytes()).is_ok(),
                    is_text,
                    "{name} {pointer} {broken}"
                );
            }
        }
        for rule in 0..pack["rules"].as_array().unwrap().len() {
            let mut pack = pack.clone();
            pack["rules"][rule]["more"] = true.into();
            assert!(!validator.is_valid(&pack) && Pack::read(pack.to_string().as_bytes()).is_err());
        }
    }
}

#[test]
fn no_page_is_of_nothing() {
    let known = [
        "README.md",
        "cbv.md",
        "consistency.md",
        "dscsa.md",
        "fsma204.md",
        "gdst.md",
        "identifiers.md",
        "language.md",
        "serialised-medicine.md",
        "walmart.md",
    ];
    let found: Vec<String> = entries(&repository().join("docs/checks"))
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(found, known);
}
