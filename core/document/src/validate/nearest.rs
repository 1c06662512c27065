//! The allowed word that is nearest to a misspelt one, and lists of words for sentences.

use epcis_edge_text::error::Quoted;
use epcis_edge_text::json::Value;
use epcis_edge_text::lookalike;
use epcis_edge_text::slice::OrEmpty;
use std::borrow::Cow;

/// The most members that are compared for a misspelling; events written by hand have far fewer.
const LOOKED_AT: usize = 100;

/// The member of an object that looks like a misspelling of the name.
pub(super) fn misspelt<'d>(object: Value<'d>, name: &str) -> Option<Cow<'d, str>> {
    object
        .members()
        .take(LOOKED_AT)
        .map(|(found, _)| found.to_cow())
        .find(|found| nearest(found, &[name]).is_some())
}

pub(super) fn with_suggestion<S: AsRef<str>>(name: &str, allowed: &[S]) -> String {
    match nearest(name, allowed) {
        Some(near) => format!("{} (did you mean `{near}`?){}", Quoted(name), lookalike::note(name)),
        None => Quoted(name).to_string(),
    }
}

/// What is said of a word behind the list of those that are allowed: characters that only look right, and the word that was meant.
pub(super) fn meant<S: AsRef<str>>(word: &str, allowed: &[S]) -> String {
    let near = nearest(word, allowed).map(suggest).or_empty();
    lookalike::note(word) + &near
}

pub(super) fn suggest(word: &str) -> String {
    format!("; did you mean `{word}`?")
}

/// The allowed word that is nearest to a misspelt one, if one is near enough.
pub(super) fn nearest<'a, S: AsRef<str>>(word: &str, allowed: &'a [S]) -> Option<&'a str> {
    if word.is_empty() || word.len() > 60 {
        return None;
    }
    let corrected = lookalike::corrected(word);
    let is_it = |allowed: &&S| Some(allowed.as_ref()) == corrected.as_deref();
    if let Some(allowed) = allowed.iter().find(is_it) {
        return Some(allowed.as_ref());
    }
    // Case, hyphens and blanks are what people get wrong first.
    let plain = |word: &str| word.to_ascii_lowercase().replace(['-', ' ', '_'], "");
    let sought = plain(word);
    let length = sought.chars().count();
    let limit = (length / 4).clamp(1, 3);
    allowed
        .iter()
        // Skips words that are too short. Their hyphens are counted here, so some too short ones stay; their distance is too large.
        .filter(|allowed| allowed.as_ref().len() + limit >= length)
        .map(|allowed| (strsim::osa_distance(&sought, &plain(allowed.as_ref())), allowed.as_ref()))
        .filter(|&(distance, allowed)| {
            distance <= limit && distance < allowed.len() && allowed != word
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, allowed)| allowed)
}

pub(super) fn list<S: AsRef<str>>(words: &[S], conjunction: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => {
            format!("{} {conjunction} {last}", rest.join(", "))
        }
        _ => quoted.concat(),
    }
}
