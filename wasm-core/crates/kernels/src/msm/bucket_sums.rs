//! Bucket sums of multi-scalar multiplication: sums of many lists of points, which is where its time goes.
//!
//! Two lists of equal length share the two lanes of [`AffinePair`]s, and all lists are halved in rounds of affine
//! additions. So lists are first cut into segments that find partners of the same length; the sums of the segments of
//! one list are added up the same way.

use crate::curve::affine_batch::Additions;

use crate::curve::affine_batch::AffinePair;

use crate::curve::affine_batch::BLOCK;

use crate::curve::affine_batch::BatchAdder;

use crate::curve::affine_batch::Coordinate;
use crate::curve::{Affine, Curve};
use crate::field::element::Element;
use crate::field::stored::{Pair, Single};
use crate::lanes::modulus::Modulus;
use crate::lanes::two::Two;

/// Longest segment. Longer lists (many equal digits) are cut, so that they can fill both lanes.
const MAX_SEGMENT: usize = 64;
/// No further segment of this length.
const NONE: u32 = u32::MAX;

/// A term ±P of a list: twice the index of the point, odd if it is subtracted.
pub type Term = u32;

/// Terms `start..start + length` of list `list`.
#[derive(Copy, Clone)]
struct Segment {
    start: u32,
    length: u32,
    list: u32,
    next: u32,
}

/// Two segments of equal length that share the lanes.
struct Couple {
    starts: [u32; 2],
    lists: [u32; 2],
    length: u32,
    /// Where their points lie in the arena.
    place: u32,
}

/// Segments by length.
struct Bins {
    segments: Vec<Segment>,
    heads: [u32; MAX_SEGMENT + 1],
    longest: usize,
}

impl Bins {
    fn cut(bounds: &[u32]) -> Self {
        let mut bins = Self {
            segments: Vec::with_capacity(bounds.len()),
            heads: [NONE; MAX_SEGMENT + 1],
            longest: 0,
        };
        for (list, bound) in bounds.windows(2).enumerate() {
            let (mut start, end) = (bound[0], bound[1]);
            let mut pieces = (end - start).div_ceil(MAX_SEGMENT as u32);
            while pieces > 0 {
                let length = (end - start).div_ceil(pieces);
                bins.push(start, length, list as u32);
                start += length;
                pieces -= 1;
            }
        }
        bins
    }

    fn push(&mut self, start: u32, length: u32, list: u32) {
        if length > 0 {
            let head = &mut self.heads[length as usize];
            self.segments.push(Segment {
                start,
                length,
                list,
                next: *head,
            });
            *head = self.segments.len() as u32 - 1;
            self.longest = self.longest.max(length as usize);
        }
    }

    /// Takes one of the longest segments.
    fn pop(&mut self) -> Option<Segment> {
        while self.longest > 0 {
            let head = &mut self.heads[self.longest];
            if let Some(segment) = self.segments.get(*head as usize) {
                *head = segment.next;
                return Some(*segment);
            }
            self.longest -= 1;
        }
        None
    }

    /// Finds partners for all segments. Segments of length one come out as the second list.
    fn couple(mut self) -> (Vec<Couple>, Vec<Segment>) {
        let (mut couples, mut singles) =
            (Vec::with_capacity(self.segments.len() / 2 + 1), Vec::new());
        let mut place = 0;
        while let Some(first) = self.pop() {
            if first.length == 1 {
                singles.push(first);
                continue;
            }
            let half = first.length / 2;
            let (second, used) = match self.pop() {
                Some(second)
                    if second.length > half.max(1) || 2 * second.length == first.length =>
                {
                    (second, second.length)
                }
                other => {
                    if let Some(other) = other {
                        self.push(other.start, other.length, other.list);
                    }
                    if half < 2 {
                        // Too short to halve: it takes both lanes.
                        (
                            Segment {
                                list: NONE,
                                ..first
                            },
                            first.length,
                        )
                    } else {
                        (
                            Segment {
                                start: first.start + half,
                                length: half,
                                ..first
                            },
                            2 * half,
                        )
                    }
                }
            };
            self.push(first.start + used, first.length - used, first.list);
            let length = second.length;
            couples.push(Couple {
                starts: [first.start, second.start],
                lists: [first.list, second.list],
                length,
                place,
            });
            place += length.div_ceil(2);
        }
        (couples, singles)
    }
}

/// First round: operands from anywhere, with signs.
struct Gathered<'a, C: Curve> {
    points: &'a [Affine<C>],
    terms: &'a [Term],
    jobs: Vec<[u32; 3]>,
    arena: &'a mut [AffinePair<C>],
    /// The operands of the block in hand. Reading them all before the arithmetic lets cache misses overlap.
    staged: Vec<[AffinePair<C>; 2]>,
    start: usize,
}

impl<C: Curve> Gathered<'_, C> {
    /// Term `which` (0 or 1) of both lanes.
    #[inline(always)]
    fn pick(&self, job: usize, which: u32) -> [(&Affine<C>, bool); 2] {
        let [first, second, _] = self.jobs[job];
        [first, second].map(|at| signed(self.points, self.terms[(at + which) as usize]))
    }
}

/// Two points with their signs applied.
fn signed_pair<C: Curve>(terms: [(&Affine<C>, bool); 2]) -> AffinePair<C> {
    let [(a, negative_a), (b, negative_b)] = terms;
    let mut pair = AffinePair::new(a, b);
    let negative = [negative_a, negative_b];
    if negative == [true; 2] {
        pair.y.store(&pair.y.load().neg().tighten());
    } else if negative != [false; 2] {
        let zero = Coordinate::<C>::zero();
        let signed = add_signed::<C>(&zero.sub_sum(&zero), &pair.y.load(), Two::signs(negative));
        pair.y.store(&signed.tighten());
    }
    pair
}

/// Two elements from different places side by side.
#[inline(always)]
fn gather<M: Modulus>(first: &Single<M>, second: &Single<M>) -> Element<M, Two> {
    Element::from_limbs(Two::gather(first.limbs(), second.limbs()))
}

/// a + b, or a − b in lanes whose sign is negative.
#[inline(always)]
fn add_signed<C: Curve>(a: &Coordinate<C>, b: &Coordinate<C>, signs: Two) -> Coordinate<C> {
    Element::from_limbs(core::array::from_fn(|j| {
        a.limbs[j].add_signed(b.limbs[j], signs)
    }))
}

/// The point of a term and whether it is subtracted.
#[inline(always)]
fn signed<C: Curve>(points: &[Affine<C>], term: Term) -> (&Affine<C>, bool) {
    (&points[(term >> 1) as usize], term & 1 == 1)
}

impl<C: Curve> Additions<C> for Gathered<'_, C> {
    fn count(&self) -> usize {
        self.jobs.len()
    }

    fn prepare(&mut self, start: usize, end: usize) {
        self.start = start;
        for job in start..end {
            let [first, second, _] = self.jobs[job];
            let staged = &mut self.staged[job - start];
            for (which, operand) in staged.iter_mut().enumerate() {
                let [a, b] = [first, second]
                    .map(|at| signed(self.points, self.terms[at as usize + which]).0);
                operand.x.store(&gather(&a.x, &b.x));
                operand.y.store(&gather(&a.y, &b.y));
            }
        }
    }

    #[inline(always)]
    fn abscissas(&self, job: usize) -> [Coordinate<C>; 2] {
        let [a, b] = &self.staged[job - self.start];
        [a.x.load(), b.x.load()]
    }

    #[inline(always)]
    fn ordinates(&self, job: usize) -> [Coordinate<C>; 2] {
        let [a, b] = &self.staged[job - self.start];
        let [first, second, _] = self.jobs[job];
        let negative = |which: u32, plus: u32| {
            [first, second].map(|at| self.terms[(at + which) as usize] & 1 == plus)
        };
        // 8m is written with limbs from which two tight ones can be taken.
        let zero = Coordinate::<C>::zero();
        let negated = add_signed::<C>(
            &zero.sub_sum(&zero),
            &a.y.load(),
            Two::signs(negative(0, 0)),
        );
        [
            add_signed::<C>(&negated, &b.y.load(), Two::signs(negative(1, 1))),
            negated,
        ]
    }

    fn operands(&self, job: usize, lane: usize) -> [Affine<C>; 2] {
        [0, 1].map(|which| {
            let (point, negative) = self.pick(job, which)[lane];
            if negative { point.neg() } else { *point }
        })
    }

    #[inline(always)]
    fn store(&mut self, job: usize, x: &Coordinate<C>, y: &Coordinate<C>) {
        let out = &mut self.arena[self.jobs[job][2] as usize];
        out.x.store(x);
        out.y.store(y);
    }

    fn store_lane(&mut self, job: usize, lane: usize, sum: &Affine<C>) {
        self.arena[self.jobs[job][2] as usize].set(lane, sum);
    }
}

/// Later rounds: neighbours in the arena.
struct Adjacent<'a, C: Curve> {
    /// Place of the first operand (the second follows it) and of the result.
    jobs: Vec<[u32; 2]>,
    arena: &'a mut [AffinePair<C>],
}

impl<C: Curve> Additions<C> for Adjacent<'_, C> {
    fn count(&self) -> usize {
        self.jobs.len()
    }

    #[inline(always)]
    fn abscissas(&self, job: usize) -> [Coordinate<C>; 2] {
        let at = self.jobs[job][0] as usize;
        [self.arena[at].x.load(), self.arena[at + 1].x.load()]
    }

    #[inline(always)]
    fn ordinates(&self, job: usize) -> [Coordinate<C>; 2] {
        let at = self.jobs[job][0] as usize;
        let (a, b) = (self.arena[at].y.load(), self.arena[at + 1].y.load());
        [b.sub(&a), a.neg()]
    }

    fn operands(&self, job: usize, lane: usize) -> [Affine<C>; 2] {
        let at = self.jobs[job][0] as usize;
        [self.arena[at].get(lane), self.arena[at + 1].get(lane)]
    }

    #[inline(always)]
    fn store(&mut self, job: usize, x: &Coordinate<C>, y: &Coordinate<C>) {
        let out = &mut self.arena[self.jobs[job][1] as usize];
        out.x.store(x);
        out.y.store(y);
    }

    fn store_lane(&mut self, job: usize, lane: usize, sum: &Affine<C>) {
        self.arena[self.jobs[job][1] as usize].set(lane, sum);
    }
}

/// The sum of each list `terms[bounds[i]..bounds[i + 1]]`; the identity for an empty one.
pub fn sum_lists<C: Curve>(
    points: &[Affine<C>],
    terms: &[Term],
    bounds: &[u32],
    adder: &mut BatchAdder<C>,
) -> Vec<Affine<C>> {
    let lists = bounds.len().saturating_sub(1);
    let (couples, singles) = Bins::cut(bounds).couple();
    let arena = sum_couples(points, terms, &couples, adder);
    let mut sums = vec![Affine::IDENTITY; lists];
    let mut parts = vec![0u32; lists + 1];
    let mut again: Vec<(u32, Affine<C>)> = Vec::new();
    let mut deliver = |list: u32, sum: Affine<C>| {
        if let Some(part) = parts.get_mut(list as usize) {
            *part += 1;
            if *part > 1 {
                again.push((list, sum));
            } else if let Some(place) = sums.get_mut(list as usize) {
                *place = sum;
            }
        }
    };
    for couple in &couples {
        for lane in 0..2 {
            if couple.lists[lane] != NONE {
                deliver(couple.lists[lane], arena[couple.place as usize].get(lane));
            }
        }
    }
    for single in &singles {
        let (point, negative) = signed(points, terms[single.start as usize]);
        deliver(single.list, if negative { point.neg() } else { *point });
    }
    add_parts(&mut sums, &mut parts, &again, adder);
    sums
}

/// Adds the further partial sums of lists that came out in several parts.
fn add_parts<C: Curve>(
    sums: &mut [Affine<C>],
    parts: &mut [u32],
    again: &[(u32, Affine<C>)],
    adder: &mut BatchAdder<C>,
) {
    if again.is_empty() {
        return;
    }
    // The lists concerned, each beginning with the part that is in `sums` already.
    let lists: Vec<u32> = (0..sums.len() as u32)
        .filter(|list| parts[*list as usize] > 1)
        .collect();
    let mut points: Vec<Affine<C>> = lists.iter().map(|list| sums[*list as usize]).collect();
    points.extend(again.iter().map(|(_, sum)| *sum));
    let mut bounds = vec![0u32];
    for list in &lists {
        let start = bounds.last().copied().unwrap_or(0);
        bounds.push(start + parts[*list as usize]);
        parts[*list as usize] = start;
    }
    let mut terms = vec![0; points.len()];
    let owners = lists.iter().chain(again.iter().map(|(list, _)| list));
    for (index, list) in owners.enumerate() {
        let next = &mut parts[*list as usize];
        terms[*next as usize] = 2 * index as u32;
        *next += 1;
    }
    for (list, sum) in lists.iter().zip(sum_lists(&points, &terms, &bounds, adder)) {
        sums[*list as usize] = sum;
    }
}

/// Sums all couples; the result of each is at its place in the arena.
fn sum_couples<C: Curve>(
    points: &[Affine<C>],
    terms: &[Term],
    couples: &[Couple],
    adder: &mut BatchAdder<C>,
) -> Vec<AffinePair<C>> {
    let size = couples
        .last()
        .map_or(0, |last| last.place + last.length.div_ceil(2));
    let mut arena = vec![
        AffinePair {
            x: Pair::ZERO,
            y: Pair::ZERO
        };
        size as usize
    ];
    let mut jobs = Vec::with_capacity(size as usize);
    for couple in couples {
        let [first, second] = couple.starts;
        for k in 0..couple.length / 2 {
            jobs.push([first + 2 * k, second + 2 * k, couple.place + k]);
        }
        if couple.length % 2 == 1 {
            let last = couple.length - 1;
            arena[(couple.place + last / 2) as usize] = signed_pair(
                [first, second].map(|start| signed(points, terms[(start + last) as usize])),
            );
        }
    }
    let nothing = AffinePair {
        x: Pair::ZERO,
        y: Pair::ZERO,
    };
    let staged = vec![[nothing; 2]; jobs.len().min(BLOCK)];
    adder.run(&mut Gathered {
        points,
        terms,
        jobs,
        arena: &mut arena,
        staged,
        start: 0,
    });
    halve_couples(couples, &mut arena, adder);
    arena
}

/// Adds neighbours until one sum is left at the place of each couple.
fn halve_couples<C: Curve>(
    couples: &[Couple],
    arena: &mut [AffinePair<C>],
    adder: &mut BatchAdder<C>,
) {
    let mut jobs: Vec<[u32; 2]> = Vec::new();
    let mut halvings = 1;
    loop {
        jobs.clear();
        let mut moves = Vec::new();
        for couple in couples {
            // Points left: length/2^halvings, rounded up.
            let left = (couple.length + (1 << halvings) - 1) >> halvings;
            for k in 0..left / 2 {
                jobs.push([couple.place + 2 * k, couple.place + k]);
            }
            if left % 2 == 1 && left > 1 {
                moves.push([couple.place + left - 1, couple.place + left / 2]);
            }
        }
        if jobs.is_empty() {
            return;
        }
        let mut round = Adjacent {
            jobs,
            arena: &mut *arena,
        };
        adder.run(&mut round);
        jobs = round.jobs;
        for [from, to] in moves {
            arena[to as usize] = arena[from as usize];
        }
        halvings += 1;
    }
}
