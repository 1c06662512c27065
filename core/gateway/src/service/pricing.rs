//! What the service costs.

use serde::Serialize;

/// How a service is charged.
///
/// Closed: the interface knows these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PricingModel {
    /// No charge.
    Free,
    /// A charge by use, under a hard ceiling.
    Metered,
}

/// The pricing declaration.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("additionalProperties" = true)))]
#[serde(rename_all = "camelCase")]
pub struct Pricing {
    /// How the service is charged.
    pub model: PricingModel,
    /// Whether published terms bind the price.
    pub binding: bool,
    /// The stated intent, if no terms bind the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<&'static str>,
}

impl Pricing {
    /// Free of charge, as an intent and not a contract.
    pub(super) fn free() -> Self {
        Self {
            model: PricingModel::Free,
            binding: false,
            statement: Some(
                "Every operation of this service is free of charge. This is a stated intent, not a contract: no published \
                 terms bind the price.",
            ),
        }
    }
}
