//! The files of the playground, which are part of the program, with the headers that `_headers` says, and the addresses that
//! `_redirects` has.

use bytes::Bytes;
use data_encoding::HEXLOWER;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};

/// The built page. Without it, the gateway answers with its own index.
#[derive(rust_embed::Embed)]
#[folder = "../www/dist"]
#[allow_missing = true]
struct Files;

/// The file of a path, as an answer to GET or HEAD; `None` if there is none.
pub(crate) fn file(method: &Method, path: &str, headers: &HeaderMap) -> Option<Response<Bytes>> {
    if let Some(to) = target(path) {
        let mut answer = Response::new(Bytes::new());
        *answer.status_mut() = StatusCode::FOUND;
        answer.headers_mut().insert(LOCATION, to);
        return Some(answer);
    }
    let name = path.strip_prefix('/').filter(|name| !matches!(*name, "_headers" | "_redirects"))?;
    let file = Files::get(name)?;
    let tag = format!("\"{}\"", HEXLOWER.encode(&file.metadata.sha256_hash()));
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let kind = match kind.type_() {
        mime_guess::mime::TEXT => format!("{kind}; charset=utf-8"),
        _ => kind.to_string(),
    };
    let mut answer = Response::new(Bytes::new());
    let is_known =
        headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    if is_known {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
    } else if *method != Method::HEAD {
        *answer.body_mut() = bytes_of(file);
    }
    let own = answer.headers_mut();
    own.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=0, must-revalidate"));
    own.insert(CONTENT_TYPE, HeaderValue::try_from(kind).ok()?);
    own.insert(ETAG, HeaderValue::try_from(tag).ok()?);
    apply(path, own);
    Some(answer)
}

/// Where a path leads by `_redirects`: each line is a path and its target.
fn target(path: &str) -> Option<HeaderValue> {
    let rules = Files::get("_redirects")?;
    let rules = std::str::from_utf8(&rules.data).ok()?;
    let (_, to) =
        rules.lines().filter_map(|line| line.split_once(' ')).find(|(from, _)| *from == path)?;
    HeaderValue::from_str(to).ok()
}

/// The OpenAPI description of the endpoints; `None` in a program without files.
pub(crate) fn description() -> Option<Bytes> {
    Files::get("openapi.json").map(bytes_of)
}

fn bytes_of(file: rust_embed::EmbeddedFile) -> Bytes {
    match file.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => bytes.into(),
    }
}

/// Applies the rules of `_headers`: a path, with `*` at its end for all that begin so, and below it a header for each line, or `! Name`
/// to take one back.
fn apply(path: &str, headers: &mut HeaderMap) -> Option<()> {
    let rules = Files::get("_headers")?;
    let mut applies = false;
    for line in std::str::from_utf8(&rules.data).ok()?.lines() {
        if !line.starts_with(' ') {
            applies = match line.strip_suffix('*') {
                Some(start) => path.starts_with(start),
                None => path == line,
            };
        } else if applies {
            let rule = line.trim();
            match (rule.strip_prefix("! "), rule.split_once(": ")) {
                (Some(name), _) => drop(headers.remove(name)),
                (None, Some((name, value))) => {
                    let name = HeaderName::try_from(name).ok()?;
                    headers.insert(name, HeaderValue::try_from(value).ok()?);
                }
                (None, None) => {}
            }
        }
    }
    Some(())
}
