use super::*;

fn kept(pieces: &mut PieceBuffer) -> String {
    pieces.finish().unwrap().1.unwrap().text
}

#[test]
fn groups_are_sorted_level_by_level() {
    let mut pieces = PieceBuffer::new(1000);
    pieces.start(Some(StringSink::default()));
    pieces.push("list");
    let outer = pieces.group();
    for member in ["b", "", "a"] {
        pieces.push(member);
        let inner = pieces.group();
        for part in ["3", "1", "2"] {
            if !member.is_empty() {
                pieces.push(part);
            }
            pieces.end_piece(&inner);
        }
        pieces.end_group(inner);
        pieces.end_piece(&outer);
    }
    pieces.end_group(outer);
    pieces.push("end");
    assert_eq!(kept(&mut pieces), "lista123b123end");
}

#[test]
fn what_is_written_before_a_group_stays_before_it() {
    let mut pieces = PieceBuffer::new(1000);
    pieces.start(Some(StringSink::default()));
    let empty = pieces.group();
    pieces.end_piece(&empty);
    pieces.end_group(empty);
    pieces.push("z");
    let group = pieces.group();
    pieces.push("é");
    pieces.end_piece(&group);
    pieces.push("z");
    pieces.end_piece(&group);
    pieces.end_group(group);
    assert_eq!(kept(&mut pieces), "zzé");
}

#[test]
fn long_groups_are_merged_from_runs() {
    let member = |n: usize| format!("member{:06}-{}", (n * 7919) % 100_000, "x".repeat(n % 50));
    let mut pieces = PieceBuffer::new(100 << 20);
    pieces.start(Some(StringSink::default()));
    pieces.push("before");
    let outer = pieces.group();
    pieces.push("outer");
    let group = pieces.group();
    for n in 0..100_000 {
        pieces.push(&member(n));
        pieces.end_piece(&group);
    }
    assert!(pieces.runs.len() > 2);
    pieces.end_group(group);
    pieces.end_piece(&outer);
    pieces.push("a");
    pieces.end_piece(&outer);
    pieces.end_group(outer);
    let mut expected: Vec<_> = (0..100_000).map(member).collect();
    expected.sort();
    assert!(kept(&mut pieces) == format!("beforeaouter{}", expected.concat()));
}

/// Pieces that a run stores whole, pieces that it does not, and short ones among them.
#[test]
fn long_pieces_are_merged_from_runs() {
    let member = |n: usize| {
        let start = ["b", "a long start", "a long star", ""].get(n % 4).copied().unwrap_or("");
        let length = (n * 37_987) % 200_000;
        format!("{start}{:03}{}", n % 7, "y".repeat(length))
    };
    let mut expected: Vec<_> = (0..60).map(member).collect();
    // Three pieces that share a prefix of `WHOLE_LENGTH` bytes.
    expected.extend((0..3).map(|n| format!("{}{n}", "z".repeat(WHOLE_LENGTH))));
    for is_nested in [false, true] {
        let mut pieces = PieceBuffer::new(100 << 20);
        pieces.start(Some(StringSink::default()));
        pieces.push("before");
        let outer = is_nested.then(|| pieces.group());
        let group = pieces.group();
        for member in &expected {
            pieces.push(member);
            pieces.end_piece(&group);
        }
        assert!(pieces.runs.len() > 2);
        pieces.end_group(group);
        if let Some(outer) = outer {
            pieces.end_piece(&outer);
            pieces.end_group(outer);
        }
        pieces.push("behind");
        let mut sorted = expected.clone();
        sorted.sort();
        assert!(kept(&mut pieces) == format!("before{}behind", sorted.concat()));
    }
}

/// A piece that is most of a document is in memory twice while it is packed into a run, and once afterwards.
#[test]
fn a_long_piece_is_not_held_again_and_again() {
    let long = "x\n".repeat(RUN_LENGTH);
    let mut pieces = PieceBuffer::new(100 << 20);
    pieces.start(None);
    let group = pieces.group();
    pieces.push("https://a");
    pieces.end_piece(&group);
    pieces.push(&format!("https://b{long}"));
    pieces.end_piece(&group);
    assert!(pieces.bytes.capacity() <= 2 * RUN_LENGTH);
    let run = pieces.runs.first().unwrap();
    assert!(run.capacity() < long.len() / 16 * 17);
    let mut cursor = RunCursor { piece: Cow::Borrowed(&[]), number: 0, rest: run };
    assert!(cursor.next() && cursor.next());
    assert!(matches!(cursor.piece, Cow::Borrowed(piece) if piece.len() > long.len()));
    pieces.end_group(group);
    let all = format!("https://ahttps://b{long}");
    assert_eq!(pieces.finish().unwrap().0, <[u8; 32]>::from(Sha256::digest(all)));
}

#[test]
fn a_string_is_kept_as_json_behind_what_was_there() {
    let mut pieces = PieceBuffer::new(1000);
    let kept = |limit| StringSink { text: "[\"".to_owned(), is_json: true, limit: Some(limit) };
    pieces.start(Some(kept(8)));
    pieces.push("a\"é\n");
    assert!(pieces.finish().is_err());
    pieces.start(Some(kept(9)));
    pieces.push("a\"é\n");
    assert_eq!(pieces.finish().unwrap().1.unwrap().text, "[\"a\\\"é\\n");
}

#[test]
fn the_limit_holds_in_and_out_of_groups() {
    let mut pieces = PieceBuffer::new(10);
    pieces.start(None);
    pieces.push("0123456789");
    assert!(pieces.finish().is_ok());
    pieces.start(None);
    pieces.push("0123456789x");
    assert!(pieces.finish().is_err());
    pieces.start(None);
    let group = pieces.group();
    for _ in 0..11 {
        pieces.push("x");
        pieces.end_piece(&group);
    }
    pieces.end_group(group);
    assert!(pieces.finish().is_err());
}
