//! The gateway as a Cloudflare Worker: collects the body, calls the core, returns what it answers.
//!
//! No rule of EPCIS lives here.

pub mod d1;
mod settings;
pub mod sql;

use bytes::{Bytes, BytesMut};
use d1::D1Store;
use epcis_edge_core::rest::{self, BodyFault};
use epcis_edge_core::service::{Configuration, Service};
use http_body_util::BodyExt as _;
use std::cell::OnceCell;
use std::rc::Rc;
use worker::{Context, Env, HttpRequest, Response, ResponseBody, console_error, event};

thread_local! {
    /// One service per isolate: its settings cannot change while the isolate lives, and the compiled schema is kept.
    static SERVICE: OnceCell<Rc<Service<D1Store>>> = const { OnceCell::new() };
}

/// The body of the request, read no further than it can be served.
struct Incoming(worker::Body);

impl rest::Body for Incoming {
    async fn read(mut self, limit: usize) -> Result<Bytes, BodyFault> {
        let mut text = BytesMut::new();
        while let Some(frame) = self.0.frame().await {
            let frame = frame.map_err(|_| BodyFault::Incomplete)?;
            let Some(chunk) = frame.data_ref() else {
                continue;
            };
            if text.len() + chunk.len() > limit {
                return Err(BodyFault::TooLarge);
            }
            text.extend_from_slice(chunk);
        }
        Ok(text.freeze())
    }
}

#[event(fetch)]
async fn fetch(request: HttpRequest, env: Env, _context: Context) -> worker::Result<Response> {
    let service = SERVICE.with(|kept| -> worker::Result<Rc<Service<D1Store>>> {
        if let Some(service) = kept.get() {
            return Ok(Rc::clone(service));
        }
        let configuration = settings::read(&env, request.uri())?;
        let service = Rc::new(Service::with_store(configuration, D1Store::new(&env)?));
        Ok(Rc::clone(kept.get_or_init(|| service)))
    });
    let answer = match service {
        Ok(service) => rest::respond(&service, request.map(Incoming)).await,
        Err(error) => {
            console_error!("{error}");
            rest::fault(&Service::new(Configuration::at("")))
        }
    };
    let (head, body) = answer.into_parts();
    // As one piece, so that the runtime announces its length.
    let body = if body.is_empty() {
        ResponseBody::Empty
    } else {
        ResponseBody::Body(body.into())
    };
    Ok(Response::from_body(body)?
        .with_status(head.status.as_u16())
        .with_headers(head.headers.into()))
}
