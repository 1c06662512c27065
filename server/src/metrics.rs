//! The figures for Prometheus: requests by door and status with their times. They have an address of their own, for those who watch.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

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
