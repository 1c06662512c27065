#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| epcis_edge_fuzz::http_request(input));
