//! The compiler of content models accepts what it knows, and stops at anything else with file and line.

use crate::model::compile;

#[test]
fn what_is_not_known_stops_the_build_with_its_line() {
    for (lines, reason) in [
        ("element a b", "x.model:2: the build does not know the statement `element a b`"),
        ("type A\n  a", "x.model:3: `a` is no particle that the build knows"),
        (
            "type A\n  a string often",
            "x.model:3: `a string often` is no particle that the build knows",
        ),
        ("type A\n  ##foo", "x.model:3: `##foo` is no particle that the build knows"),
        ("type A\n  b:a string", "x.model:3: `b:a string` is no particle that the build knows"),
        ("type A\n  a Missing", "x.model:3: there is no type `Missing`"),
        ("type A\n  @a Missing", "x.model:3: there is no type `Missing`"),
        ("type A\n  a b:string", "x.model:3: there is no namespace for `b:string`"),
        ("type A\n  a ref", "x.model:3: there is no root `a`"),
        ("root a Missing", "x.model:2: there is no type `Missing`"),
        ("type A : Missing", "x.model:2: there is no type `Missing`"),
        ("  a string", "x.model:2: an indented line must follow a `type`"),
        ("type A\ntype A", "x.model:3: `A` was declared before"),
        ("type A : string\n  a string", "a type can have a value or elements, not both"),
        ("type A mixed\n  a string", "a mixed type can have only `##any*`"),
        ("type A\nsimple B A x", "`B` restricts no simple type"),
    ] {
        let text = format!("target t urn:t\n{lines}\n");
        let refused = compile(&[("x.model", &text)]).expect_err(lines);
        assert_eq!(refused, reason, "{lines}");
    }
    assert_eq!(
        compile(&[("x.model", "type A")]).expect_err("no target"),
        "x.model:1: a file must begin with `target`"
    );
    let long: String = (0..33).map(|number| format!("  a{number} string\n")).collect();
    let refused = compile(&[("x.model", &format!("target t urn:t\ntype A\n{long}"))]);
    assert_eq!(refused.expect_err("33 slots"), "a content model has at most 32 slots");
}

#[test]
fn what_is_known_becomes_tables() {
    let text = "# A comment.\ntarget t urn:t\nqualified\nroot a A\nroot b string for a\nsimple S string x y\ntype A\n  a? S\n  | b ref\n  & c+ string nillable\n  ##other*\n  @d? S\n  @*\n";
    let tables = compile(&[("x.model", text)]).expect("the model compiles");
    for part in [
        "\"urn:t\"",
        "words: &[\"x\", \"y\"]",
        "slot: 0, required: false, repeats: false, behind: false",
        "nillable: true }), slot: 1, required: true, repeats: true, behind: true",
        "Wildcard::Other(1)), slot: 2, required: false, repeats: true",
        "Attribute { name: \"d\"",
        "any_attribute: true",
    ] {
        assert!(tables.contains(part), "{part} in {tables}");
    }
}
