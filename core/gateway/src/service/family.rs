//! The siblings of this service and their relations.

use serde::{Deserialize, Serialize};

/// The family registry: services, and relations between them as typed edges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// The `id` of the service that answers.
    #[serde(rename = "self")]
    pub itself: String,
    /// The members of the family, the answering one included.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub services: Vec<FamilyService>,
    /// Their relations.
    pub edges: Vec<FamilyEdge>,
}

/// A member of the family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FamilyService {
    /// The identifier that edges use.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its base address.
    pub url: String,
    /// What it does in the family, in a few words.
    pub role: String,
}

/// A relation between two members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FamilyEdge {
    /// The `id` of the member where the relation starts.
    pub from: String,
    /// The `id` of the member where the relation leads.
    pub to: String,
    /// The kind of relation, such as `resolves-identifiers-at`.
    pub relation: String,
}

/// The relation of a service to its identity resolver.
const RESOLVES_AT: &str = "resolves-identifiers-at";

impl Family {
    /// A family of this one service.
    #[must_use]
    pub fn of_one(base_url: &str) -> Self {
        const ID: &str = "epcis-edge";
        Self {
            itself: ID.to_owned(),
            services: vec![FamilyService {
                id: ID.to_owned(),
                name: "epcis-edge".to_owned(),
                url: base_url.trim_end_matches('/').to_owned(),
                role: "EPCIS capture gateway".to_owned(),
            }],
            edges: Vec::new(),
        }
    }

    /// The address of the identity resolver, the member at which this service resolves identifiers.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::service::Family;
    /// let family = Family::of_one("https://epcis.example.com");
    /// assert_eq!(family.resolver_url(), None);
    /// let family = family.with_resolver("https://id.example.com");
    /// assert_eq!(family.resolver_url(), Some("https://id.example.com"));
    /// ```
    #[must_use]
    pub fn resolver_url(&self) -> Option<&str> {
        let edge = self
            .edges
            .iter()
            .find(|edge| edge.from == self.itself && edge.relation == RESOLVES_AT)?;
        let service = self.services.iter().find(|service| service.id == edge.to)?;
        Some(&service.url)
    }

    /// Adds the identity resolver that this service sends callers to.
    #[must_use]
    pub fn with_resolver(mut self, resolver_url: &str) -> Self {
        const ID: &str = "resolver";
        self.edges.push(FamilyEdge {
            from: self.itself.clone(),
            to: ID.to_owned(),
            relation: RESOLVES_AT.to_owned(),
        });
        self.services.push(FamilyService {
            id: ID.to_owned(),
            name: "Identity resolver".to_owned(),
            url: resolver_url.to_owned(),
            role: "identity resolver".to_owned(),
        });
        self
    }
}
