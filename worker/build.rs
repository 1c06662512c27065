//! The Worker's memory ends where the isolate, which has 128 MB for everything, would be ended with all that it was answering.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        // 96 MB, in pages of 64 KiB. Beyond it the engine stops, the request is answered 500, and worker/js begins a new one.
        println!("cargo::rustc-link-arg-cdylib=--max-memory={}", 1464 << 16);
    }
}
