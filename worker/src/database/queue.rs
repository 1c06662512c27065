//! A queue of the statements of an isolate. D1 and an object run one batch at a time, so the statements that arrive meanwhile are sent
//! together, and are written to the disk once.
//!
//! A request that finds no batch under way sends its statements as one batch, with as many of the waiting ones as fit. If the batch
//! fails, each request sends its own statements again, so that only the faulty ones fail.
//! When its batch has ended, it wakes the first waiting request, which sends the next one. So no request works for others for longer
//! than one batch.
//!
//! Each request waits on a promise of its own, which another request settles. The runtime then resumes it in its own context, where
//! it may do I/O.

use super::unavailable;
use epcis_edge_core::error::Error;
use epcis_edge_sql::Statement;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use worker::Date;
use worker::js_sys::{Function, Promise};
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen_futures::JsFuture;

/// The most bytes of texts and values in a batch. A longer transaction is sent alone, and is never copied.
const BYTES: usize = 200_000;

/// The time in milliseconds after which a batch that has not ended counts as aborted.
const GIVEN_UP: u64 = 30_000;

/// The rows of each statement.
type Rows<R> = Vec<Vec<R>>;

/// The signal to a waiting transaction.
enum Turn<R> {
    /// It was not sent yet, and must now send the next batch.
    Lead,
    /// It was sent with others, and this is its part of the answer.
    Done(Rows<R>),
    /// It was sent with others, and the batch failed: it must be sent alone.
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
        // The promise has no value: the result is in the cell.
        let _ = self.settle.call0(&JsValue::NULL);
    }
}

/// The transactions that wait for the database.
pub(crate) struct Queue<R> {
    waiting: RefCell<VecDeque<Waiting<R>>>,
    /// When the current batch was sent, in milliseconds since 1970; 0 if there is none.
    begun: Cell<u64>,
    /// The most statements in a batch.
    statements: usize,
}

impl<R> std::fmt::Debug for Queue<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = self.waiting.borrow().len();
        f.debug_struct("Queue").field("waiting", &waiting).finish()
    }
}

impl<R> Queue<R> {
    /// A queue that sends this many statements in a batch at most.
    pub(super) fn of(statements: usize) -> Self {
        Self { waiting: RefCell::default(), begun: Cell::default(), statements }
    }

    /// Runs statements as one transaction, together with waiting ones if there are any. `send` sends statements as one batch.
    ///
    /// # Errors
    /// The errors of `send`.
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
        let settle = settle
            .ok_or_else(|| unavailable("the promise of a turn has no function to resolve it"))?;
        self.waiting.borrow_mut().push_back(Waiting {
            bytes,
            statements: statements.clone(),
            turn: Rc::clone(&turn),
            settle,
        });
        JsFuture::from(settled)
            .await
            .map_err(|_| unavailable("the promise of a turn was rejected"))?;
        match turn.take() {
            Some(Turn::Done(rows)) => Ok(rows),
            Some(Turn::Alone) | None => send(statements).await,
            Some(Turn::Lead) => self.lead(statements, send).await,
        }
    }

    /// Removes the first waiting transaction from the queue.
    fn next(&self) -> Option<Waiting<R>> {
        self.waiting.borrow_mut().pop_front()
    }

    /// Sends a transaction together with waiting ones, then wakes the request that sends the next batch.
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
            if count > self.statements || bytes > BYTES {
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
        // The first waiting request sends the next batch. If none is waiting, the next one to arrive does.
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
