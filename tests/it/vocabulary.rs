//! Compares the vocabulary tables with the enumerations of the official schema.

use epcis_edge_core::vocabulary::{self, Vocabulary};
use epcis_edge_schema::TEXT;
use serde_json::Value;

fn words(definition: &Value) -> Vec<&str> {
    let choices =
        definition["anyOf"].as_array().map_or(std::slice::from_ref(definition), Vec::as_slice);
    let words = choices.iter().find_map(|choice| choice["enum"].as_array()).unwrap();
    words.iter().map(|word| word.as_str().unwrap()).collect()
}

#[test]
fn the_words_are_those_of_the_schema() {
    let schema: Value = serde_json::from_str(TEXT).unwrap();
    let tables: [(&str, &Vocabulary); 8] = [
        ("bizStep", &vocabulary::BIZ_STEP),
        ("disposition", &vocabulary::DISPOSITION),
        ("bizTransaction-type", &vocabulary::BIZ_TRANSACTION_TYPE),
        ("source-dest-type", &vocabulary::SOURCE_DESTINATION_TYPE),
        ("error-reason", &vocabulary::ERROR_REASON),
        ("component", &vocabulary::COMPONENT),
        ("measurementType", &vocabulary::MEASUREMENT_TYPE),
        ("sensorAlertType", &vocabulary::SENSOR_ALERT_TYPE),
    ];
    for (definition, table) in tables {
        assert_eq!(words(&schema["definitions"][definition]), table.words, "{definition}");
    }
    let mut actions = words(&schema["definitions"]["action"]);
    actions.sort_unstable();
    let mut ours = vocabulary::ACTIONS;
    ours.sort_unstable();
    assert_eq!(actions, ours);
    let mut types = words(&schema["definitions"]["eventType"]);
    types.sort_unstable();
    let mut ours = vocabulary::EVENT_TYPES;
    ours.sort_unstable();
    assert_eq!(types, ours);
}
