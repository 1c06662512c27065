//! Which web pages may call the agent door, and by which host names.

use http::Uri;

/// The allowed origins. Callers that send no `Origin`, such as agents and `curl`, need none.
///
/// They are configured, never derived from the request: if a page rebinds its own domain name to this service, its `Origin` and
/// `Host` agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Origins such as `https://app.example.com`.
    pub allowed: Vec<String>,
    /// Whether the service is local: then every loopback origin is allowed, and only requests to a loopback name are answered.
    pub local: bool,
}

impl Origins {
    /// The service's own origin; a service at a loopback name is local.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::service::Origins;
    /// let origins = Origins::of("https://epcis.example.com/");
    /// assert!(origins.admits_origin("https://epcis.example.com"));
    /// assert!(!origins.admits_origin("https://other.example"));
    /// assert!(origins.admits_host("epcis.example.com"));
    /// let local = Origins::of("http://127.0.0.1:8787");
    /// assert!(local.admits_origin("http://localhost:5173"));
    /// assert!(!local.admits_host("other.example:8787"));
    /// ```
    #[must_use]
    pub fn of(base_url: &str) -> Self {
        let Ok(address) = base_url.parse::<Uri>() else {
            return Self::default();
        };
        let (Some(scheme), Some(authority)) = (address.scheme_str(), address.authority()) else {
            return Self::default();
        };
        Self {
            allowed: vec![format!("{scheme}://{authority}")],
            local: is_loopback(authority.host()),
        }
    }

    /// Whether a page of this origin may call.
    #[must_use]
    pub fn admits_origin(&self, origin: &str) -> bool {
        let is_allowed = |allowed: &String| allowed.eq_ignore_ascii_case(origin);
        let is_local = || {
            let address = origin.parse::<Uri>().ok();
            let host = address.as_ref().and_then(Uri::host);
            host.is_some_and(is_loopback)
        };
        self.allowed.iter().any(is_allowed) || (self.local && is_local())
    }

    /// Whether a request to this `Host` is for this service.
    #[must_use]
    pub fn admits_host(&self, host: &str) -> bool {
        let authority = host.parse::<http::uri::Authority>();
        !self.local || authority.is_ok_and(|authority| is_loopback(authority.host()))
    }
}

/// Whether the host is `localhost` or in `127.0.0.0/8` or `[::1]`.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
