//! Bodies of any length, each written as one template:
//!
//! - `«…»` is repeated until the body is long enough, `«,…»` with commas between, until the list is so long, `«2,…»` half as long;
//! - `{9:…:}` is repeated nine times, `{size/9:…:}` a ninth of the length times, `{size/9<50:…:}` at most 50 times, and `{9:,…:}` with commas
//!   between;
//! - `{n}` is the number of a repetition of `«…»`, from 0, `{i}` that of the others; `{n+1}`, `{n%28+1}`, `{n*32+i}` are made of them, from
//!   left to right;
//! - `{n:04}` has leading zeros, `{n%2:even|odd}` is one of the texts, `{n:letters}` is short;
//! - `{cr}`, `{lf}` and `{tab}` are these characters.

/// A kind of body that can be made in any length.
pub struct Template(String);

impl Template {
    /// Reads a template. `pieces` stand for others; a piece may have those behind it.
    #[must_use]
    pub fn new(text: &str, pieces: &[(&str, &str)]) -> Self {
        let characters = [("{cr}", "\r"), ("{lf}", "\n"), ("{tab}", "\t")];
        let all = pieces.iter().chain(&characters);
        Self(all.fold(text.to_owned(), |text, (piece, stands)| text.replace(piece, stands)))
    }

    /// A body of this many bytes or slightly more, and how many repetitions it has.
    #[must_use]
    pub fn body(&self, size: usize) -> (String, usize) {
        let template = repeated(self.0.clone(), size);
        let parts: Vec<&str> = template.split(['«', '»']).collect();
        let mut text = String::with_capacity(size + 4096);
        text.push_str(parts[0]);
        let (pairs, mut count) = (parts[1..].as_chunks::<2>().0, 0);
        for (at, [item, after]) in pairs.iter().enumerate() {
            let listed = item.split_once(',').filter(|(share, _)| share.len() < 3);
            let listed = listed.filter(|(share, _)| share.chars().all(|one| one.is_ascii_digit()));
            let (share, item) = listed.unwrap_or(("", item));
            let share = share.parse().unwrap_or(1);
            let (start, mut number) = (text.len(), 0);
            let is_short = |text: &str, number| match listed {
                None => text.len() + after.len() < size * (at + 1) / pairs.len(),
                Some(_) => number == 0 || 1 + text.len() - start < size / share,
            };
            while is_short(&text, number) {
                text.push_str(if number > 0 && listed.is_some() { "," } else { "" });
                push(&mut text, item, 'n', number);
                number += 1;
            }
            count += number;
            text.push_str(after);
        }
        (text, count)
    }
}

/// A template without a length, in which this is the number.
#[must_use]
pub fn written(text: &str, pieces: &[(&str, &str)], number: usize) -> String {
    let mut out = String::new();
    push(&mut out, &Template::new(text, pieces).0, 'n', number);
    repeated(out, 0)
}

/// The template with each `{9:…:}` written out. The innermost one ends first.
fn repeated(mut template: String, size: usize) -> String {
    while let Some(end) = template.find(":}") {
        let before = &template[..end];
        let counted = before.rmatch_indices('{').find_map(|(at, _)| {
            let (count, text) = before[at + 1..].split_once(':')?;
            let count = match count.strip_prefix("size/") {
                Some(share) => {
                    let (share, most) = share.split_once('<').unwrap_or((share, "10000000"));
                    most.parse::<usize>().ok()?.min(size / share.parse::<usize>().ok()?)
                }
                None => count.parse().ok()?,
            };
            Some((at, count, text))
        });
        let (start, count, text) = counted.unwrap();
        let (separator, text) = text.strip_prefix(',').map_or(("", text), |text| (",", text));
        let mut whole = before[..start].to_owned();
        for number in 0..count {
            whole.push_str(if number > 0 { separator } else { "" });
            push(&mut whole, text, 'i', number);
        }
        template = whole + &template[end + 2..];
    }
    template
}

/// Appends a text in which this letter is this number.
fn push(out: &mut String, text: &str, letter: char, number: usize) {
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let end = behind.find(|one: char| !one.is_ascii_digit() && !"ni+*%".contains(one));
        let (sum, more) = behind.split_at(end.unwrap_or(behind.len()));
        match more.split_once('}') {
            Some((form, after))
                if sum.contains(letter) && !form.starts_with(char::is_alphanumeric) =>
            {
                let sum = sum.replace(letter, &number.to_string());
                match sum.contains(['n', 'i']) {
                    true => out.push_str(&["{", &sum, form, "}"].concat()),
                    false => out.push_str(&spelt(calculated(&sum), form.trim_start_matches(':'))),
                }
                rest = after;
            }
            _ => {
                out.push('{');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
}

/// What `3+1%28` is, from left to right.
fn calculated(sum: &str) -> usize {
    let mut operands = sum.split(['+', '*', '%']).map(|operand| operand.parse::<usize>().unwrap());
    let first = operands.next().unwrap();
    let operators = sum.chars().filter(|one| !one.is_ascii_digit());
    operators.zip(operands).fold(first, |number, (operator, operand)| match operator {
        '+' => number + operand,
        '*' => number * operand,
        _ => number % operand,
    })
}

fn spelt(number: usize, form: &str) -> String {
    if form.contains('|') {
        return form.split('|').nth(number).unwrap().to_owned();
    }
    if form == "letters" {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        let last = char::from(letters[number % letters.len()]).to_string();
        let rest = number / letters.len();
        return if rest == 0 { last } else { last + &spelt(rest, form) };
    }
    format!("{number:0width$}", width = form.parse().unwrap_or(0))
}
