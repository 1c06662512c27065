//! Captured master data.

use super::query_string::{self, Page};
use super::{BindingRequest, media};
use crate::call::Call;
use crate::rest::answer::Answer;
use crate::service::{ElementQuestion, Envelope};
use epcis_edge_text::error::{Error, ErrorKind};

impl BindingRequest<'_> {
    /// The elements of a type and an identifier. If the path lacks one of them, a parameter may give it.
    pub(super) async fn elements(
        &self,
        kind: Option<String>,
        id: Option<String>,
        call: &Call,
    ) -> Result<Answer, Error> {
        media::accepted(self.head, false)?;
        let known = match (&kind, &id) {
            (None, _) => "type, id, at, perPage, nextPageToken",
            (Some(_), None) => "id, at, perPage, nextPageToken",
            (Some(_), Some(_)) => "at, perPage, nextPageToken",
        };
        let (mut kind, mut at, mut page) = (kind, None, Page::default());
        let (may_have_type, may_have_id) = (kind.is_none(), id.is_none());
        let mut ids: Vec<String> = id.into_iter().collect();
        for (name, value) in query_string::pairs(self.head)? {
            let taken = match name.as_str() {
                "id" if may_have_id => {
                    ids.push(value);
                    continue;
                }
                "type" if may_have_type => kind.replace(value),
                "at" => at.replace(value),
                _ if page.take(&name, &value)? => continue,
                _ => {
                    let known = known.to_owned();
                    return Err(Error::new(ErrorKind::UnknownParameter { name, known }));
                }
            };
            if taken.is_some() {
                return Err(Error::new(ErrorKind::RepeatedParameter { name }));
            }
        }
        let question = ElementQuestion::new(kind.as_deref(), ("id", ids), at.as_deref())?;
        let found = self.service.elements(&question, page.per_page, page.token(), call).await?;
        let answer = Answer::envelope(&found)?;
        let token = match found {
            Envelope::Ok(found) => found.next_page_token,
            Envelope::Empty { .. } | Envelope::Blocked { .. } => None,
        };
        Ok(self.linked(answer, &self.request_address(), token, call))
    }
}
