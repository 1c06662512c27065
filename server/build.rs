//! The program has the page inside: files that are new in it are seen by cargo only if they are named.

fn main() {
    println!("cargo::rerun-if-changed=../www/dist");
    println!("cargo::rerun-if-changed=../worker/migrations");
}
