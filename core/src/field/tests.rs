//! Compares the table with the official schema.

use super::*;
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
    found.extend(
        properties
            .into_iter()
            .flat_map(|members| members.keys().cloned()),
    );
    let listed = definition["propertyNames"]["anyOf"].as_array();
    let listed = listed
        .into_iter()
        .flatten()
        .filter_map(|choice| choice["enum"].as_array());
    found.extend(
        listed
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned),
    );
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
        let ours: BTreeSet<String> = group
            .parts
            .iter()
            .map(|part| part.name.to_owned())
            .collect();
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
    assert_eq!(
        names(&schema, "persistentDisposition").len(),
        PERSISTENT_DISPOSITION.parts.len()
    );
    for typed in [&BIZ_TRANSACTION, &SOURCE, &DESTINATION] {
        assert_eq!(
            names(&schema, typed.name),
            BTreeSet::from([typed.name.to_owned()])
        );
    }
}
