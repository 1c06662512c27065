//! Which names and words the schema allows at a place.

/// From the keyword that failed inside of `propertyNames` back to that keyword.
pub(super) fn property_names_schema(schema_path: &str) -> &str {
    const KEYWORD: &str = "/propertyNames";
    match schema_path.find(KEYWORD) {
        Some(at) => schema_path.get(..at + KEYWORD.len()).unwrap_or(schema_path),
        None => schema_path,
    }
}

/// All words that are enumerated at or below a place of the schema, references followed.
pub(super) fn words_below(schema: &serde_json::Value, schema_path: &str) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(place) = schema.pointer(schema_path) {
        collect_words(schema, place, &mut words);
    }
    words
}

fn collect_words(schema: &serde_json::Value, place: &serde_json::Value, words: &mut Vec<String>) {
    match place {
        serde_json::Value::Array(members) => members
            .iter()
            .for_each(|member| collect_words(schema, member, words)),
        serde_json::Value::Object(members) => {
            for (keyword, member) in members {
                match (keyword.as_str(), member) {
                    ("enum", serde_json::Value::Array(options)) => {
                        words.extend(
                            options
                                .iter()
                                .filter_map(|option| Some(option.as_str()?.to_owned())),
                        );
                    }
                    ("$ref", serde_json::Value::String(reference)) => {
                        if let Some(target) = reference
                            .strip_prefix('#')
                            .and_then(|path| schema.pointer(path))
                        {
                            collect_words(schema, target, words);
                        }
                    }
                    (_, member) => collect_words(schema, member, words),
                }
            }
        }
        _ => {}
    }
}

/// The names in `properties` beside the `additionalProperties` that failed.
pub(super) fn sibling_properties(schema: &serde_json::Value, schema_path: &str) -> Vec<String> {
    let place = schema_path
        .strip_suffix("/additionalProperties")
        .unwrap_or(schema_path);
    let properties = schema
        .pointer(place)
        .and_then(|place| place.get("properties"));
    properties
        .and_then(|properties| properties.as_object())
        .into_iter()
        .flat_map(|all| all.keys().cloned())
        .collect()
}
