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
#[cfg_attr(
    feature = "schema",
    schemars(extend(
        "additionalProperties" = true,
        "allOf" = [
            {"if": {"additionalProperties": true, "properties": {"model": {"const": "metered"}}}, "then": {"required": ["hardCeiling"]}},
            {"if": {"additionalProperties": true, "properties": {"binding": {"const": false}}}, "then": {"required": ["statement"]}},
            {"if": {"additionalProperties": true, "properties": {"binding": {"const": true}}}, "then": {"required": ["termsUrl"]}},
        ],
    ))
)]
#[serde(rename_all = "camelCase")]
pub struct Pricing {
    /// How the service is charged.
    pub model: PricingModel,
    /// The most that a metered service charges.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0)))]
    pub hard_ceiling: Option<f64>,
    /// What is charged for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// The price of a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// Whether published terms bind the price.
    pub binding: bool,
    /// The stated intent, if no terms bind the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<&'static str>,
    /// The terms, if they bind the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms_url: Option<&'static str>,
    /// Where it is tracked that terms shall bind the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger_url: Option<&'static str>,
}

impl Pricing {
    /// Free of charge, as an intent and not a contract.
    pub(super) fn free() -> Self {
        Self {
            model: PricingModel::Free,
            hard_ceiling: None,
            unit: None,
            price: None,
            binding: false,
            terms_url: None,
            ledger_url: None,
            statement: Some(
                "Every operation of this service is free of charge. This is a stated intent, not a contract: no published \
                 terms bind the price.",
            ),
        }
    }
}
