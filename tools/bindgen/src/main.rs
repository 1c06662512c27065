//! `bindgen INPUT.wasm FOLDER NAME [names]`: writes `NAME.js` and `NAME_bg.wasm` into the folder; with `names`, the functions keep theirs.
//!
//! The module is instantiated by a call, as `--target web` of the command line does it, and can be thrown away and begun anew:
//! `__wbg_reset_state` is exported.

use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (input, folder, name, has_names) = match arguments.as_slice() {
        [input, folder, name] => (input, folder, name, false),
        [input, folder, name, names] if names == "names" => (input, folder, name, true),
        _ => return Err("usage: bindgen INPUT.wasm FOLDER NAME [names]".into()),
    };
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .typescript(false)
        // A third of a file that is not optimised, and dropped from those that are.
        .remove_name_section(!has_names)
        .reset_state_function(true)
        .out_name(name)
        .generate(folder)?;
    Ok(())
}
