//! A selection over accounts: each is asked for a few events at a time, and the answer takes the next one of any account.

use super::Accounts;
use crate::query::{Cursor, MAX_ACCOUNTS, NUMBERS_OF_AN_ACCOUNT, OrderBy, Places, account_of};
use crate::store::{Selected, Selection, StoredEvent};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Value;
use epcis_edge_text::time::Timestamp;
use futures_util::future::{try_join, try_join_all};
use std::collections::VecDeque;

/// How many accounts are asked at once for events in the order of capture, if the first has no more.
const AT_ONCE: usize = 4;

/// The place of an event in an order of time: its time, its number in its account, and the account.
type Place = (Option<Timestamp>, u64, u64);

/// What was read of a selection in one account, and is not in the answer yet.
struct Line {
    account: u64,
    /// Where the selection ends; `None` until the account was asked.
    upper: Option<u64>,
    /// The place after which to read on, once `events` is empty.
    after: Option<Cursor>,
    events: VecDeque<StoredEvent>,
    /// The place of the first of `events`, in an order of time.
    first: Option<Place>,
    /// Whether nothing more can be read.
    is_last: bool,
}

impl Line {
    /// The line of an account, before it was asked.
    fn new(selection: &Selection<'_>, account: u64) -> Self {
        let mut after = selection.after.cloned();
        let mut is_last = false;
        if let Some(cursor) = &mut after {
            let is_descending = selection.order.descending;
            let begun = account_of(cursor.sequence);
            match selection.order.by {
                OrderBy::Capture if is_descending => is_last = account > begun,
                OrderBy::Capture => is_last = account < begun,
                _ => cursor.sequence = behind(cursor.sequence, account, is_descending),
            }
        }
        let upper = selection.upper.map(|upper| upper.in_account(account));
        Self { account, upper, after, events: VecDeque::new(), first: None, is_last }
    }

    fn is_over(&self) -> bool {
        self.is_last && self.events.is_empty()
    }

    /// Ends the selection at the newest event of the account; if there is none, where the selection begins.
    fn ends_at(&mut self, newest: &Places, selection: &Selection<'_>) {
        let begin = selection.since.in_account(self.account);
        self.upper.get_or_insert(newest.single().max(begin));
    }

    /// Finds the place of the first event.
    fn look(&mut self, selection: &Selection<'_>) -> Result<(), Error> {
        let name = match selection.order.by {
            OrderBy::Capture => return Ok(()),
            OrderBy::EventTime => "eventTime",
            OrderBy::RecordTime => "recordTime",
        };
        self.first = None;
        if let Some(event) = self.events.front() {
            let document = event.document()?;
            let time = document.root().get(name).and_then(Value::as_str);
            let time = time.and_then(|time| Timestamp::parse(&time));
            let number = event.sequence;
            self.first = Some((time, number % NUMBERS_OF_AN_ACCOUNT, account_of(number)));
        }
        Ok(())
    }

    /// Whether an event of this line follows before those of another, as far as is known.
    fn is_before(&self, other: &Self, is_descending: bool) -> bool {
        match (&self.first, &other.first) {
            (None, _) => true,
            (_, None) => false,
            (one, other) if is_descending => one > other,
            (one, other) => one < other,
        }
    }
}

/// The place of an account behind the event with this number, among events of one time. They are in the order of their numbers in
/// their accounts, which is their order in a single store, too; then in the order of the accounts.
fn behind(number: u64, account: u64, is_descending: bool) -> u64 {
    let (of, within) = (account_of(number), number % NUMBERS_OF_AN_ACCOUNT);
    let place = account * NUMBERS_OF_AN_ACCOUNT + within;
    match is_descending {
        true => place + u64::from(account < of),
        false => place.saturating_sub(u64::from(0 < of && of < account)),
    }
}

/// Removes the next event of a selection; `None` if there is none, or if its account must be asked first.
fn take(lines: &mut [Line], selection: &Selection<'_>) -> Result<Option<StoredEvent>, Error> {
    let is_descending = selection.order.descending;
    let mut lines = lines.iter_mut().filter(|line| !line.is_over());
    let next = match selection.order.by {
        OrderBy::Capture => lines.next(),
        _ => {
            lines.reduce(|one, other| if one.is_before(other, is_descending) { one } else { other })
        }
    };
    let Some((line, event)) =
        next.and_then(|line| line.events.pop_front().map(|event| (line, event)))
    else {
        return Ok(None);
    };
    let time = line.first.and_then(|(time, ..)| time);
    line.after = Some(Cursor { sequence: event.sequence, time, ..Cursor::default() });
    line.look(selection)?;
    Ok(Some(event))
}

impl Accounts {
    /// The events of a selection from these accounts. In the order of capture, accounts follow one after the other.
    pub(super) async fn merged(
        &self,
        selection: &Selection<'_>,
        accounts: Vec<u64>,
    ) -> Result<Selected, Error> {
        let mut lines: Vec<Line> =
            accounts.into_iter().map(|account| Line::new(selection, account)).collect();
        let is_in_turn = selection.order.by == OrderBy::Capture;
        if is_in_turn && selection.order.descending {
            lines.reverse();
        }
        let mut at_once = if is_in_turn { 1 } else { MAX_ACCOUNTS };
        let (mut events, mut bytes) = (Vec::new(), 0);
        loop {
            while events.len() < selection.limit && bytes < selection.bytes {
                let Some(event) = take(&mut lines, selection)? else { break };
                bytes += event.event.len();
                events.push(event);
            }
            let wanted = selection.limit - events.len();
            if wanted == 0 || bytes >= selection.bytes {
                break;
            }
            if !self.ask(&mut lines, selection, at_once, wanted, bytes).await? {
                break;
            }
            // If the first account has no more events, the next ones may have none either.
            at_once = at_once.max(AT_ONCE);
        }
        Ok(Selected {
            events,
            newest: lines.iter().filter_map(|line| line.upper).collect(),
            is_last: lines.iter().all(Line::is_over),
        })
    }

    /// Asks accounts whose next event is not known, at most `at_once`. Returns false if no account had to be asked.
    ///
    /// In the order of capture one account may have all that are `wanted`. In an order of time each is asked for twice its share: most
    /// pages have few events of most accounts, and whoever has more is asked again. The events of `bytes` are in the answer already.
    async fn ask(
        &self,
        lines: &mut [Line],
        selection: &Selection<'_>,
        at_once: usize,
        wanted: usize,
        bytes: usize,
    ) -> Result<bool, Error> {
        let held = lines.iter().flat_map(|line| &line.events).map(|event| event.event.len());
        let left = selection.bytes.saturating_sub(bytes + held.sum::<usize>());
        let (mut asked, mut others) = (Vec::new(), Vec::new());
        for line in lines {
            if line.events.is_empty() && !line.is_last && asked.len() < at_once {
                asked.push(line);
            } else if line.upper.is_none() {
                others.push(line);
            }
        }
        if asked.is_empty() && others.is_empty() {
            return Ok(false);
        }
        let count = asked.len().max(1);
        let limit = match selection.order.by {
            OrderBy::Capture => wanted,
            _ => (2 * wanted.div_ceil(count) + 1).min(wanted),
        };
        let bytes = (left / count).max(1);
        let asked = asked.into_iter().map(async |line: &mut Line| {
            let upper = line.upper.map(Places::at);
            let here = Selection {
                // The store has no other.
                accounts: None,
                since: &selection.since.only(line.account),
                upper: upper.as_ref(),
                after: line.after.as_ref(),
                limit,
                bytes,
                ..*selection
            };
            let found = (self.open)(line.account)?.select(&here).await?;
            line.ends_at(&found.newest, selection);
            line.is_last = found.is_last || found.events.is_empty();
            line.events = found.events.into();
            line.look(selection)
        });
        let others = others.into_iter().map(async |line: &mut Line| {
            let newest = (self.open)(line.account)?.newest_events(None).await?;
            line.ends_at(&newest, selection);
            Ok(())
        });
        try_join(try_join_all(asked), try_join_all(others)).await?;
        Ok(true)
    }
}
