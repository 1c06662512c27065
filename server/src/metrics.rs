//! The figures for Prometheus. They have an address of their own, for those who watch.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// The figures, each with what it says. `docs/settings.md` lists them.
const FIGURES: [(&str, &str); 13] = [
    ("epcis_edge_requests_total", "Requests answered, by door and status"),
    ("epcis_edge_request_seconds", "The time of an answer, by door"),
    ("epcis_edge_captures_total", "Captures that stored events"),
    ("epcis_edge_captured_events_total", "Events stored"),
    ("epcis_edge_queue", "Writes that wait for the next commit"),
    ("epcis_edge_commit_seconds", "The time of a commit"),
    ("epcis_edge_commit_transactions", "The writes that shared a commit"),
    (
        "epcis_edge_connections",
        "PostgreSQL: connections in use, of those that read and those that capture",
    ),
    ("epcis_edge_connections_waiting", "PostgreSQL: requests that wait for a connection"),
    ("epcis_edge_log_leaves", "Leaves under the newest head of the log"),
    ("epcis_edge_log_waiting", "Events without a leaf"),
    ("epcis_edge_log_oldest_seconds", "The age of the oldest event without a leaf; 0 without one"),
    ("epcis_edge_log_halted", "1 if the log signs nothing until an operator acts, otherwise 0"),
];

/// The longest head of a request, in bytes.
const MAX_HEAD: u64 = 8 << 10;

/// Keeps figures from now on, and answers them at an address.
///
/// # Errors
/// An address that cannot be used.
pub(crate) fn serve(address: &str) -> Result<(), String> {
    let said = |error: &dyn std::fmt::Display| format!("METRICS, {address}: {error}");
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new();
    let figures = recorder.install_recorder().map_err(|error| said(&error))?;
    for (name, what) in FIGURES {
        // The exporter keeps what a name says, whatever its kind.
        metrics::describe_gauge!(name, what);
    }
    let listener = TcpListener::bind(address).map_err(|error| said(&error))?;
    let answers = move || {
        for stream in listener.incoming().flatten() {
            figures.run_upkeep();
            // Who asked may be gone.
            let _ = answer(stream, &figures.render());
        }
    };
    std::thread::Builder::new()
        .name("metrics".to_owned())
        .spawn(answers)
        .map_err(|error| said(&error))?;
    Ok(())
}

fn answer(mut stream: TcpStream, figures: &str) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    let head = BufReader::new((&stream).take(MAX_HEAD)).lines().map_while(Result::ok);
    let head: Vec<String> = head.take_while(|line| !line.is_empty()).collect();
    let (status, body) = match head.first().and_then(|line| line.split(' ').nth(1)) {
        Some("/metrics") => ("200 OK", figures),
        _ => ("404 Not Found", "there is /metrics, nothing else\n"),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}
