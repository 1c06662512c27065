//! Every door of a gateway with a store and a log: what it answers before anything is stored, while things are stored,
//! and then to every operation of the description, asked well and badly.

use super::gateway::Gateway;
use super::recorder::Recorder;
use super::{growth, story, table};

#[test]
fn every_door() {
    let gateway = Gateway::new(Recorder::new("doors", &["answer"]));
    table::ask_empty(&gateway);
    let known = story::tell(&gateway);
    table::ask(&gateway, &known);
    growth::give_orders(&gateway);
    gateway.finish();
}
