//! Query strings of the gateway's own endpoints: unknown parameters are refused by name.

use epcis_edge_text::error::{Error, ErrorKind};

/// The values of the known parameters, in the order of `names`.
///
/// # Errors
/// An unknown or repeated parameter. Ignoring one would make a wide answer look like a filtered one.
pub(super) fn parameters<const N: usize>(
    query: Option<&str>,
    names: [&'static str; N],
) -> Result<[Option<String>; N], Error> {
    let mut values = [const { None }; N];
    for (name, value) in form_urlencoded::parse(query.unwrap_or("").as_bytes()) {
        let known = names.iter().zip(values.iter_mut()).find(|(known, _)| **known == name);
        let Some((known, slot)) = known else {
            let known = names.join(", ");
            return Err(Error::new(ErrorKind::UnknownParameter { name: name.into_owned(), known }));
        };
        if slot.is_some() {
            return Err(Error::query_parameter(
                known,
                value.into_owned(),
                "one value: the parameter is given twice",
            ));
        }
        *slot = Some(value.into_owned());
    }
    Ok(values)
}
