//! Pages: the address of the next one, in the form that every known client follows.

use super::BindingRequest;
use super::query_string::{self, Page};
use crate::call::Call;
use crate::query::Holder;
use crate::rest::answer::Answer;
use epcis_edge_text::error::{Error, ErrorKind};
use http::header::{HeaderName, LINK};
use http::request::Parts;

const EXPIRES: HeaderName = HeaderName::from_static("gs1-next-page-token-expires");

/// Refuses every parameter except those of paging, and any page token: the list has only one page, so no token was issued for it.
pub(super) fn one_page(head: &Parts) -> Result<(), Error> {
    match Page::of(head)?.token() {
        None => Ok(()),
        Some(_) => Err(Error::new(ErrorKind::PageToken)),
    }
}

impl BindingRequest<'_> {
    /// The page size, and the place after which the page begins; `None` for the first page.
    pub(super) fn place(
        &self,
        list: &str,
        page: &Page,
        call: &Call,
    ) -> Result<(usize, Option<String>), Error> {
        self.holder(call).page(list, page.per_page, page.token())
    }

    /// The gateway, key and time that page tokens are bound to.
    pub(super) fn holder<'c>(&'c self, call: &'c Call) -> Holder<'c> {
        Holder {
            gateway: &self.service.configuration().extension_namespace,
            principal: &call.principal,
            now: call.now,
        }
    }

    /// Adds the address of the next page, if there is a token for one. The token is its last parameter.
    pub(super) fn linked(
        &self,
        answer: Answer,
        address: &str,
        token: Option<String>,
        call: &Call,
    ) -> Answer {
        let Some(token) = token else { return answer };
        let expires = self.holder(call).expires().to_string();
        let separator = if address.contains('?') { "" } else { "?" };
        let link = format!("<{address}{separator}nextPageToken={token}>; rel=\"next\"");
        answer.with(LINK, link).with(EXPIRES, expires)
    }

    /// The requested address without its page token, ready for another.
    pub(super) fn request_address(&self) -> String {
        let mut address =
            format!("{}?{}", self.head.uri.path(), query_string::without_token(self.head));
        for (found, encoded) in [('<', "%3C"), ('>', "%3E"), ('"', "%22"), (' ', "%20")] {
            address = address.replace(found, encoded);
        }
        address
    }
}
