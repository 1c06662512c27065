//! Finds things that are packed in each other.

/// The time that a child, itself a parent, was in a parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Containment {
    child: u64,
    parent: u64,
    /// The occurrence that put it in.
    from: u32,
    /// The occurrence that ended the containment; the same as `from` if none did.
    until: u32,
}

impl Containment {
    pub(super) fn new(child: u64, parent: u64, place: u32) -> Self {
        Self { child, parent, from: place, until: place }
    }

    /// The same containment, ended by an occurrence.
    pub(super) fn until(self, place: u32) -> Self {
        Self { until: place, ..self }
    }

    /// Both digests, the smaller one first: the same for A in B and B in A.
    fn pair(&self) -> (u64, u64) {
        (self.child.min(self.parent), self.child.max(self.parent))
    }
}

/// The occurrences that pack a thing into something that it contains, each with the earlier occurrence that contradicts it.
///
/// `time`: the time of an occurrence. `is_emptied`: whether a parent was emptied between two occurrences.
pub(super) fn each_other(
    mut containments: Vec<Containment>,
    time: &dyn Fn(u32) -> Option<i64>,
    is_emptied: &dyn Fn(u64, u32, u32) -> bool,
) -> Vec<(u32, u32)> {
    epcis_edge_text::order::sort_stably_by(&mut containments, &|one, other| {
        one.pair().cmp(&other.pair())
    });
    let mut found = Vec::new();
    for same in containments.chunk_by(|one, other| one.pair() == other.pair()) {
        if let [first, others @ ..] = same
            && others.iter().all(|containment| containment.child == first.child)
        {
            continue;
        }
        let moment = |containment: &Containment| Some((time(containment.from)?, *containment));
        let mut moments: Vec<(i64, Containment)> = same.iter().filter_map(moment).collect();
        epcis_edge_text::order::sort_stably_by(&mut moments, &|one, other| {
            (one.0, one.1.from).cmp(&(other.0, other.1.from))
        });
        // The last containment of each of the two in the other.
        let mut last: [Option<Containment>; 2] = [None; 2];
        for (now, containment) in moments {
            let [one, two] = &mut last;
            let (mine, other) =
                if containment.child < containment.parent { (one, two) } else { (two, one) };
            *mine = Some(containment);
            let Some(before) = *other else { continue };
            let is_over = before.until != before.from && time(before.until) <= Some(now);
            if !is_over && !is_emptied(before.parent, before.from, containment.from) {
                found.push((containment.from, before.from));
            }
        }
    }
    found
}
