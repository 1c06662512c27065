//! Statements of an isolate that wait for those before them: D1 runs one batch at a time, so what came meanwhile goes together.
//!
//! Whoever finds nothing under way takes all that wait, its own with them, and sends them as one batch. Where that fails, each is sent
//! by itself: one that is wrong fails alone.
//! Whoever is done wakes the first that waits. Requests do not work for each other longer than one batch.
//!
//! A request waits on a promise of its own, which another one settles: so the runtime goes on with it where it may ask for things.

use super::unavailable;
use crate::sql::Statement;
use epcis_edge_core::error::Error;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use worker::Date;
use worker::js_sys::{Function, Promise};
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen_futures::JsFuture;

/// How many statements go together: with the question for its key a request stays below the 50 that Cloudflare's free plan has.
const STATEMENTS: usize = 45;

/// How many bytes of values go together; what is longer goes by itself, and is never copied.
const BYTES: usize = 200_000;

/// After how many milliseconds a batch that did not end is taken for broken off.
const GIVEN_UP: u64 = 30_000;

/// What is answered: the rows of each statement.
type Rows<R> = Vec<Vec<R>>;

/// What became of a transaction that waited.
enum Turn<R> {
    /// Nothing yet: it is its turn to send what waits.
    Lead,
    /// It was sent with others, and this is its part of the answer.
    Done(Rows<R>),
    /// It was sent with others, and one of them was wrong.
    Alone,
}

struct Waiting<R> {
    statements: Vec<Statement>,
    bytes: usize,
    turn: Rc<Cell<Option<Turn<R>>>>,
    settle: Function,
}

impl<R> Waiting<R> {
    fn wake(&self, turn: Turn<R>) {
        self.turn.set(Some(turn));
        // What it says is in the cell.
        let _ = self.settle.call0(&JsValue::NULL);
    }
}

/// What waits for the database.
pub(crate) struct Queue<R> {
    waiting: RefCell<VecDeque<Waiting<R>>>,
    /// When the batch under way was sent, in milliseconds since 1970; 0 where none is.
    begun: Cell<u64>,
}

impl<R> Default for Queue<R> {
    fn default() -> Self {
        Self {
            waiting: RefCell::default(),
            begun: Cell::default(),
        }
    }
}

impl<R> std::fmt::Debug for Queue<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = self.waiting.borrow().len();
        f.debug_struct("Queue").field("waiting", &waiting).finish()
    }
}

impl<R> Queue<R> {
    /// Runs statements as one transaction, with others if there are any; `send` sends statements as one batch.
    ///
    /// # Errors
    /// What `send` says.
    pub(super) async fn run<S>(&self, statements: Vec<Statement>, send: S) -> Result<Rows<R>, Error>
    where
        S: AsyncFn(Vec<Statement>) -> Result<Rows<R>, Error>,
    {
        let bytes = statements.iter().map(Statement::bytes).sum();
        if bytes > BYTES {
            return send(statements).await;
        }
        let now = Date::now().as_millis();
        if self.begun.get() + GIVEN_UP <= now {
            self.begun.set(now);
            return self.lead(statements, send).await;
        }
        let turn = Rc::new(Cell::new(None));
        let mut settle = None;
        let settled = Promise::new(&mut |resolve, _| settle = Some(resolve));
        let settle = settle.ok_or_else(|| unavailable("a promise without a way to settle it"))?;
        self.waiting.borrow_mut().push_back(Waiting {
            bytes,
            statements: statements.clone(),
            turn: Rc::clone(&turn),
            settle,
        });
        JsFuture::from(settled)
            .await
            .map_err(|_| unavailable("a turn that was refused"))?;
        match turn.take() {
            Some(Turn::Done(rows)) => Ok(rows),
            Some(Turn::Alone) | None => send(statements).await,
            Some(Turn::Lead) => self.lead(statements, send).await,
        }
    }

    /// Takes the first that waits.
    fn next(&self) -> Option<Waiting<R>> {
        self.waiting.borrow_mut().pop_front()
    }

    /// Sends a transaction with what waits, and wakes whoever leads next.
    async fn lead<S>(&self, statements: Vec<Statement>, send: S) -> Result<Rows<R>, Error>
    where
        S: AsyncFn(Vec<Statement>) -> Result<Rows<R>, Error>,
    {
        let mut count = statements.len();
        let mut bytes: usize = statements.iter().map(Statement::bytes).sum();
        let mut others = Vec::new();
        while let Some(next) = self.next() {
            count += next.statements.len();
            bytes += next.bytes;
            if count > STATEMENTS || bytes > BYTES {
                self.waiting.borrow_mut().push_front(next);
                break;
            }
            others.push(next);
        }
        let own = statements.len();
        let mut all = statements.clone();
        for other in &others {
            all.extend_from_slice(&other.statements);
        }
        let sent = send(all).await;
        let answer = match sent {
            Ok(mut rows) => {
                let mut theirs = rows.split_off(own.min(rows.len()));
                for other in &others {
                    let rest = theirs.split_off(other.statements.len().min(theirs.len()));
                    other.wake(Turn::Done(std::mem::replace(&mut theirs, rest)));
                }
                Ok(rows)
            }
            Err(error) if others.is_empty() => Err(error),
            Err(_) => {
                for other in &others {
                    other.wake(Turn::Alone);
                }
                send(statements).await
            }
        };
        // The next one leads from here on; where none waits, whoever comes.
        match self.next() {
            Some(next) => {
                self.begun.set(Date::now().as_millis());
                next.wake(Turn::Lead);
            }
            None => self.begun.set(0),
        }
        answer
    }
}
