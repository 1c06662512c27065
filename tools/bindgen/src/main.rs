//! `bindgen INPUT.wasm FOLDER NAME`: writes `NAME.js` and `NAME_bg.wasm` into the folder.
//!
//! The module is instantiated by a call, as `--target web` of the command line does it, and can be thrown away and begun anew:
//! `__wbg_reset_state` is exported.

use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = arguments.as_slice() else {
        return Err("usage: bindgen INPUT.wasm FOLDER NAME".into());
    };
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .typescript(false)
        // A third of a file that is not optimised, and dropped from those that are.
        .remove_name_section(true)
        .reset_state_function(true)
        .out_name(name)
        .generate(folder)?;
    Ok(())
}
