//! Compares the table with the official schema.

use super::*;
use crate::made::{self, quoted};
use serde_json::Value;
use std::collections::BTreeSet;

const TYPES: [(&str, EventTypes); 5] = [
    ("ObjectEvent", OBJECT),
    ("AggregationEvent", AGGREGATION),
    ("TransactionEvent", TRANSACTION),
    ("TransformationEvent", TRANSFORMATION),
    ("AssociationEvent", ASSOCIATION),
];

/// The names that the schema allows in an object, without those of other namespaces and those of every JSON-LD object.
fn names(schema: &Value, definition: &str) -> BTreeSet<String> {
    let definition = &schema["definitions"][definition];
    let mut found = BTreeSet::new();
    collect(definition, &mut found);
    found.retain(|name| !matches!(name.as_str(), "@context" | "type" | "rdfs:comment"));
    found
}

/// Collects the names that have a definition, and those that are only listed.
fn collect(definition: &Value, found: &mut BTreeSet<String>) {
    let properties = definition["properties"].as_object();
    found.extend(properties.into_iter().flat_map(|members| members.keys().cloned()));
    let listed = definition["propertyNames"]["anyOf"].as_array();
    let listed = listed.into_iter().flatten().filter_map(|choice| choice["enum"].as_array());
    found.extend(listed.flatten().filter_map(Value::as_str).map(str::to_owned));
    for part in definition["allOf"].as_array().into_iter().flatten() {
        collect(part, found);
    }
}

/// The name of the definition that a property refers to in the schema.
fn reference<'s>(schema: &'s Value, definition: &str, property: &str) -> Option<&'s str> {
    let property = &schema["definitions"][definition]["properties"][property];
    property["$ref"].as_str()?.strip_prefix("#/definitions/")
}

#[test]
fn every_event_type_has_the_fields_of_the_schema() {
    let schema: Value = serde_json::from_str(epcis_edge_schema::TEXT).unwrap();
    let common: BTreeSet<String> = names(&schema, "Event");
    for (name, bit) in TYPES {
        let mut expected = names(&schema, name);
        expected.extend(common.iter().cloned());
        let ours: BTreeSet<String> = EVENT
            .iter()
            .filter(|field| field.of & bit != 0)
            .map(|field| field.name.to_owned())
            .collect();
        assert_eq!(ours, expected, "{name}");
    }
}

#[test]
fn every_group_has_the_members_of_the_schema_and_their_kinds() {
    let schema: Value = serde_json::from_str(epcis_edge_schema::TEXT).unwrap();
    let groups: [(&str, &Group); 7] = [
        ("quantityElement", QUANTITY_ELEMENT.group().unwrap()),
        ("errorDeclaration", &ERROR_DECLARATION),
        ("sensorElement", SENSOR_ELEMENT.group().unwrap()),
        ("sensorMetadata", &SENSOR_METADATA),
        ("sensorReport", &SENSOR_REPORT),
        ("readPoint", &PLACE),
        ("bizLocation", &PLACE),
    ];
    for (name, group) in groups {
        let mut expected = names(&schema, name);
        if reference(&schema, name, "type").is_some() {
            expected.insert("type".to_owned());
        }
        let ours: BTreeSet<String> = group.parts.iter().map(|part| part.name.to_owned()).collect();
        assert_eq!(ours, expected, "{name}");
        for part in group.parts {
            let Some(found) = reference(&schema, name, part.name) else {
                continue;
            };
            let fits = match part.content {
                Of(_) => true,
                Is(Number) => found == "decimal",
                Is(Boolean) => found == "boolean",
                Is(Time) => found == "time",
                Is(HexBinary) => found == "hexBinary",
                Is(Verbatim) => found == "string",
                Is(Bare(_)) => !["uri", "string", "uom", "id"].contains(&found),
                Is(Plain | Identifier | EventId | Offset) => {
                    ["uri", "id", "uom", "eventID", "string"].contains(&found)
                }
            };
            assert!(fits, "{name} {} {found}", part.name);
        }
    }
    // Groups that consist of lists of words, or of texts with a type.
    assert_eq!(names(&schema, "persistentDisposition").len(), PERSISTENT_DISPOSITION.parts.len());
    for typed in [&BIZ_TRANSACTION, &SOURCE, &DESTINATION] {
        assert_eq!(names(&schema, typed.name), BTreeSet::from([typed.name.to_owned()]));
    }
}

/// The names of the fields that are lists of this item.
fn fields_of(item: &Field) -> Vec<&'static str> {
    let has_item = |field: &&Field| matches!(field.count, List(found) if found.word == item.word);
    EVENT.iter().filter(has_item).map(|field| field.name).collect()
}

/// Collects the names that occur in a pre-hash string: those that contain other names, and those with a value.
fn collect_hashed(
    field: &'static Field,
    containers: &mut Vec<&'static str>,
    values: &mut Vec<&'static str>,
) {
    if !field.is_hashed {
        return;
    }
    let list = if !field.members().is_empty() { &mut *containers } else { &mut *values };
    if !list.contains(&field.name) {
        list.push(field.name);
    }
    // A typed text, such as a source, has both a value and its type.
    if field.is_typed() && !values.contains(&field.name) {
        values.push(field.name);
    }
    for member in field.members() {
        collect_hashed(member, containers, values);
    }
}

/// The lists of fields of the package and the page are made from this table.
#[test]
fn the_lists_of_fields_are_current() {
    const TABLE: &str = "core/document/src/field.rs";
    let mut text = String::new();
    for (what, name, words) in [
        ("The types of events.", "EVENT_TYPES", TYPES.map(|(name, _)| name).to_vec()),
        ("The lists of EPCs.", "EPC_LISTS", fields_of(&EPC)),
        ("The lists of quantities of a class.", "QUANTITY_LISTS", fields_of(&QUANTITY_ELEMENT)),
    ] {
        text += &format!(
            "\n/** {what} */\nexport const {name}: readonly string[] = {};\n",
            quoted(&words)
        );
    }
    made::is("wasm/js/engine/fields.ts", TABLE, &text);

    let mut text = String::from(
        "\n/** The fields of each event type that not all types have, in hashing order. */\nexport const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {\n",
    );
    for (name, bit) in TYPES {
        let own = EVENT.iter().filter(|field| field.of & bit != 0 && field.of != ALL);
        let own: Vec<_> = own.map(|field| field.name).collect();
        text += &format!("  {name}: {},\n", quoted(&own));
    }
    text += "};\n";
    let (mut containers, mut values) = (Vec::new(), vec!["eventType"]);
    for field in &EVENT {
        collect_hashed(field, &mut containers, &mut values);
    }
    for (what, name, names) in [
        ("The names in a pre-hash string that other names follow.", "CONTAINERS", containers),
        ("The names in a pre-hash string that a value follows.", "VALUES", values),
    ] {
        text += &format!(
            "\n/** {what} */\nexport const {name} =\n  '{}'.split(\n    ' ',\n  );\n",
            names.join(" ")
        );
    }
    made::is("www/src/shared/fields.ts", TABLE, &text);
}
