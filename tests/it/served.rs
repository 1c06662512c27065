//! Generates the description of the endpoints, the types of the package and the list of supported parameters from the code, and checks that they are current. `EPCIS_EDGE_BLESS=1` writes them.
// Invariant: The OpenAPI description, the types of the engine's answers and the lists of parameters are made of the code.

mod openapi;

use epcis_edge_core::query::SERVED;
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{read, repository};
use serde_json::Value;
use std::fmt::Write as _;

/// Asserts that the text between two marks in a file is the generated one.
fn holds(file: &str, begin: &str, end: &str, made: &str) {
    let path = repository().join(file);
    let text = String::from_utf8(read(&path)).unwrap();
    let (before, rest) =
        text.split_once(begin).unwrap_or_else(|| panic!("{file} has no `{begin}`"));
    let (_, after) = rest.split_once(end).unwrap();
    let expected = format!("{before}{begin}{made}{end}{after}");
    if is_on("EPCIS_EDGE_BLESS") {
        std::fs::write(&path, expected).unwrap();
        return;
    }
    assert!(
        text == expected,
        "the parameters in {file} are not those that are served: EPCIS_EDGE_BLESS=1 writes them anew"
    );
}

/// A line for each operation and each component.
fn by_line(value: &Value, depth: usize) -> String {
    match value.as_object() {
        Some(members) if depth > 0 => {
            let member = |(name, member)| format!("\"{name}\": {}", by_line(member, depth - 1));
            let members: Vec<_> = members.iter().map(member).collect();
            format!("{{\n{}\n}}", members.join(",\n"))
        }
        _ => value.to_string(),
    }
}

/// Asserts that a file is the generated one.
fn is(file: &str, made: &str) {
    let path = repository().join(file);
    if is_on("EPCIS_EDGE_BLESS") {
        std::fs::write(&path, made).unwrap();
        return;
    }
    assert!(
        read(&path) == made.as_bytes(),
        "{file} is not what the code says: EPCIS_EDGE_BLESS=1 writes it anew"
    );
}

#[test]
fn the_description_is_made_of_the_code() {
    let made = by_line(&openapi::openapi().unwrap(), 3) + "\n";
    is("www/public/openapi.json", &made);
}

/// The width of a line of TypeScript.
const WIDTH: usize = 140;

/// A comment with what a doc comment says of an answer, and nothing of Rust.
fn comment(schema: &Value, indent: &str) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    let text = text.replace("[`", "`").replace("`]", "`").replace("`None`", "`null`");
    let said = text.split("\n\n").filter(|part| !part.starts_with("**") && *part != "Closed.");
    let mut said: Vec<String> = said.map(|part| part.replace('\n', " ")).collect();
    let words = schema["oneOf"].as_array().into_iter().flatten();
    said.extend(words.filter_map(|word| {
        Some(format!("`{}`: {}", word["const"].as_str()?, word["description"].as_str()?))
    }));
    let mut lines: Vec<String> = Vec::new();
    for (number, part) in said.iter().enumerate() {
        if number > 0 {
            lines.push(String::new());
        }
        let mut line = String::new();
        for word in part.split_whitespace() {
            if !line.is_empty() && line.len() + word.len() > WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        lines.push(line);
    }
    match &lines[..] {
        [line] if line.is_empty() => String::new(),
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines: Vec<String> = lines
                .iter()
                .map(|line| format!("{indent} * {line}").trim_end().to_owned())
                .collect();
            format!("{indent}/**\n{}\n{indent} */\n", lines.join("\n"))
        }
    }
}

/// The type of a value; `null` is none of an absent member.
fn kind(schema: &Value, is_absent: bool) -> String {
    let literal = |value: &Value| value.to_string().replace('"', "'");
    let mut kinds: Vec<String> = if let Some(to) = schema["$ref"].as_str() {
        vec![to.rsplit('/').next().unwrap().to_owned()]
    } else if let Some(template) = schema["template"].as_str() {
        vec![format!("`{template}`")]
    } else if let Some(value) = schema.get("const") {
        vec![literal(value)]
    } else if let Some(values) = schema["enum"].as_array() {
        values.iter().map(literal).collect()
    } else if let Some(parts) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        parts.iter().map(|part| kind(part, false)).collect()
    } else if let Some(types) = schema["type"].as_array() {
        let one = |name| {
            let mut one = schema.clone();
            one["type"] = Value::clone(name);
            kind(&one, false)
        };
        types.iter().map(one).collect()
    } else {
        vec![match schema["type"].as_str() {
            Some("integer" | "number") => "number".to_owned(),
            Some("array") => match kind(&schema["items"], false) {
                item if item.contains('|') => format!("readonly ({item})[]"),
                item if item.starts_with("readonly") => format!("readonly ({item})[]"),
                item => format!("readonly {item}[]"),
            },
            Some(name @ ("string" | "boolean" | "null")) => name.to_owned(),
            _ => "any".to_owned(),
        }]
    };
    kinds.retain(|kind| !is_absent || kind != "null");
    kinds.join(" | ")
}

#[test]
fn the_types_of_answers_are_made_of_the_code() {
    let mut made = String::from(
        "// What the engine answers: made of its types by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it served::`.\n",
    );
    for (name, schema) in openapi::answers() {
        made += "\n";
        made += &comment(&schema, "");
        let Some(members) = schema["properties"].as_object() else {
            let _ = writeln!(made, "export type {name} = {};", kind(&schema, false));
            continue;
        };
        let _ = writeln!(made, "export type {name} = {{");
        // Callers build keys of their own.
        let readonly = if name.starts_with("GS1") { "" } else { "readonly " };
        for (member, of) in members {
            let is_absent = !schema["required"]
                .as_array()
                .is_some_and(|all| all.contains(&member.as_str().into()));
            let mark = if is_absent { "?" } else { "" };
            let kind = kind(of, is_absent);
            let kind = if readonly.is_empty() { kind.replace("readonly ", "") } else { kind };
            let _ = writeln!(made, "{}  {readonly}{member}{mark}: {kind};", comment(of, "  "));
        }
        made += "};\n";
    }
    for (list, name) in [
        ("PACKS", "PackName"),
        ("USUAL_PACKS", "UsualPack"),
        ("PROFILES", "Profile"),
        ("REPORTS", "ReportName"),
        ("SEVERITIES", "Severity"),
    ] {
        let words = kind(&openapi::answers()[name], false).replace(" | ", ", ");
        let _ = write!(made, "\nexport const {list}: readonly {name}[] = [{words}];\n");
    }
    is("wasm/js/engine/answers.ts", &made);
}

#[test]
fn the_documentation_lists_the_parameters_that_are_served() {
    let mut list = String::from("\n\n```text\n");
    for entry in SERVED {
        let _ = writeln!(list, "{entry}");
    }
    list.push_str("```\n\n");
    holds(
        "docs/queries.md",
        "<!-- made by EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-tests --test it served:: -->",
        "<!-- end of what is made -->",
        &list,
    );
}
