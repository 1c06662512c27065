//! The schema compiler of the build accepts what it knows, and stops at anything else with its place.

use crate::compile::compile;
use serde_json::{Value, json};

fn refusal(schema: &Value) -> String {
    compile(&schema.to_string()).expect_err("the schema must be refused")
}

#[test]
fn the_official_schema_is_compiled() {
    let tables = compile(epcis_edge_schema::TEXT).expect("the schema compiles");
    assert!(tables.contains("pub(super) const ROOT"));
}

#[test]
fn what_is_not_known_stops_the_build_with_its_place() {
    let inside = |rule: Value| json!({"properties": {"a/b": {"items": rule}}});
    for (rule, place) in [
        (json!({"maxLength": 5}), "/properties/a~1b/items/maxLength"),
        (json!({"else": {}}), "/properties/a~1b/items/else"),
        (json!({"title": "x"}), "/properties/a~1b/items/title"),
        (json!({"pattern": "^[a-z]$"}), "/properties/a~1b/items/pattern"),
        (json!({"format": "email"}), "/properties/a~1b/items/format"),
        (json!({"type": "integer"}), "/properties/a~1b/items/type"),
        (json!({"type": ["string", "null"]}), "/properties/a~1b/items/type"),
        (json!({"enum": ["a", 1]}), "/properties/a~1b/items/enum"),
        (json!({"additionalProperties": {}}), "/properties/a~1b/items/additionalProperties"),
        (json!({"propertyNames": {"minLength": 1}}), "/properties/a~1b/items/propertyNames"),
        (json!({"not": {"type": "string"}}), "/properties/a~1b/items/not"),
        (json!({"then": {}}), "/properties/a~1b/items/then"),
        (json!({"if": {"required": ["x"]}, "then": {}}), "/properties/a~1b/items/if"),
        (json!({"$ref": "other.json"}), "/properties/a~1b/items/$ref"),
        (json!({"$ref": "#/definitions/gone"}), "/definitions/gone"),
        (json!({"$ref": "#/properties", "type": "string"}), "/properties/a~1b/items"),
        (json!({"$ref": "#"}), "refers to itself"),
        (
            json!({"allOf": [{"$ref": "#/properties/a~1b/items"}]}),
            "/properties/a~1b/items` refers to itself",
        ),
        (json!(true), "/properties/a~1b/items"),
    ] {
        let refusal = refusal(&inside(rule.clone()));
        assert!(refusal.contains(place), "{rule}: {refusal}");
    }
}

#[test]
fn conditions_must_depend_on_one_member_that_is_required() {
    let case = |member: &str, word: &str, then: Value| {
        json!({
            "if": {"type": "object", "properties": {member: {"enum": [word]}}},
            "then": then,
        })
    };
    let schema = |cases: Value| json!({"required": ["type"], "allOf": cases});
    let sound =
        schema(json!([case("type", "a", json!({})), case("type", "b", json!({"type": "object"}))]));
    assert!(compile(&sound.to_string()).is_ok());
    let free = json!({"allOf": [case("type", "a", json!({}))]});
    assert!(refusal(&free).contains("does not require `type`"));
    let two = schema(json!([case("type", "a", json!({})), case("kind", "b", json!({}))]));
    assert!(refusal(&two).contains("several members"));
    let nested = schema(json!([case("type", "a", case("type", "b", json!({})))]));
    assert!(refusal(&nested).contains("within conditions"));
}
