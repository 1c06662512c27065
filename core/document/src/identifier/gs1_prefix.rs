//! The GS1 Prefixes: which first three digits of a company prefix are assigned.
//!
//! **Source**: GS1, "GS1 Company Prefix", the published list of prefixes. Doubtful ones count as assigned.

/// The assignment of a GS1 Prefix, the first three digits of a company prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum PrefixAssignment {
    /// Assigned to a member organisation, or to GS1 itself.
    Assigned,
    /// Reserved for numbers of restricted circulation, coupons and refunds. No company has such a prefix.
    Restricted,
    /// Reserved for the future.
    Reserved,
}

/// Ranges that no company has.
const RESTRICTED: [(usize, usize); 5] = [(20, 29), (40, 49), (200, 299), (980, 984), (990, 999)];

/// Ranges that are reserved for the future.
#[rustfmt::skip]
const KEPT: [(usize, usize); 50] = [
    (140, 199), (381, 382), (384, 384), (386, 386), (388, 388), (391, 399), (441, 449), (472, 473), (510, 519),
    (522, 527), (532, 534), (536, 536), (538, 538), (550, 559), (561, 568), (580, 589), (591, 593), (595, 598),
    (602, 602), (610, 610), (612, 612), (614, 614), (633, 639), (650, 679), (710, 728), (747, 749), (751, 753),
    (756, 758), (772, 772), (774, 774), (776, 776), (781, 783), (785, 785), (787, 788), (791, 799), (851, 857),
    (861, 864), (866, 866), (882, 882), (886, 887), (889, 889), (891, 892), (895, 895), (897, 898), (920, 929),
    (953, 954), (956, 957), (959, 959), (970, 976), (985, 989),
];

static PREFIXES: Prefixes = {
    let all = [PrefixAssignment::Assigned; 1000];
    let all = marked(all, &RESTRICTED, PrefixAssignment::Restricted);
    marked(all, &KEPT, PrefixAssignment::Reserved)
};

type Prefixes = [PrefixAssignment; 1000];

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
const fn marked(
    mut prefixes: Prefixes,
    ranges: &[(usize, usize)],
    assignment: PrefixAssignment,
) -> Prefixes {
    let mut number = 0;
    while number < ranges.len() {
        let (mut at, last) = ranges[number];
        while at <= last {
            prefixes[at] = assignment;
            at += 1;
        }
        number += 1;
    }
    prefixes
}

/// The assignment of the prefix with these three digits.
pub(super) fn assignment_of(first_three: u64) -> PrefixAssignment {
    let found = usize::try_from(first_three).ok();
    found.and_then(|at| PREFIXES.get(at)).copied().unwrap_or(PrefixAssignment::Assigned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_apart_and_what_companies_have_is_given_out() {
        let all = RESTRICTED.iter().chain(&KEPT);
        let mut taken = [false; 1000];
        for &(first, last) in all {
            assert!(first <= last && last < 1000);
            for at in first..=last {
                assert!(!std::mem::replace(taken.get_mut(at).unwrap(), true), "{at}");
            }
        }
        for known in [0, 37, 61, 300, 401, 461, 501, 690, 760, 890, 950, 952, 978] {
            assert_eq!(assignment_of(known), PrefixAssignment::Assigned, "{known}");
        }
        assert_eq!(assignment_of(200), PrefixAssignment::Restricted);
        assert_eq!(assignment_of(140), PrefixAssignment::Reserved);
    }
}
