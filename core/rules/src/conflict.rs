//! Values that contradict each other: two expiry dates of one lot.

use super::facts::Conflict;
use super::fuel;
use super::path::{Path, any};
use super::scope::{Scope, Subject};
use epcis_edge_document::identifier::product;
use std::collections::BTreeSet;

/// Whether an event gives one of its products another value than the first one; `number` is that of the [`Conflict`] in the pack.
pub(super) fn is_other(number: usize, scope: &Scope<'_, '_>) -> bool {
    let Some((conflict, known)) = scope.facts.conflicts.get(number) else { return false };
    let mut is_other = false;
    each(conflict, scope, &mut |key, value| {
        is_other |= known.get(&key).is_some_and(|first| first != value);
    });
    is_other
}

/// Calls `told` for each product of an event: with the product and the further value as key, and the value that the event gives.
pub(super) fn each(
    conflict: &Conflict,
    scope: &Scope<'_, '_>,
    told: &mut dyn FnMut((String, String), &str),
) {
    let (Some(by), Some(value)) =
        (first_text(&conflict.by, scope), first_text(&conflict.value, scope))
    else {
        return;
    };
    let mut products = BTreeSet::new();
    if let Some(classes) = scope.fields.get(conflict.class.number) {
        let looking = (scope.names, scope.fuel);
        any(classes, &conflict.class.inner, looking, &mut |class| {
            let length = class.as_text().map_or(0, |text| text.written_length());
            if !scope.fuel.take_with(|| fuel::identifier(length)) {
                return true;
            }
            products.extend(class.as_str().map(|id| product(&id)));
            false
        });
    }
    let count = products.len();
    for product in products {
        let steps = || fuel::look_up(product.len() + by.len(), count);
        if !scope.fuel.take_with(steps) {
            return;
        }
        told((product, by.clone()), &value);
    }
}

fn first_text(path: &Path, scope: &Scope<'_, '_>) -> Option<String> {
    let mut found = None;
    Subject::Event(path.clone()).any_text(scope, &mut |text| {
        found = Some(text.to_owned());
        true
    });
    found
}
