//! Random graphs as lists of parent indices, with the past of every block by brute force.

use std::collections::BTreeSet;

/// SplitMix64: a seed in a test report is enough to see the same graph again.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// A set of block indices.
#[derive(Clone, Default)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    pub fn insert(&mut self, index: usize) {
        if self.0.len() <= index / 64 {
            self.0.resize(index / 64 + 1, 0);
        }
        self.0[index / 64] |= 1 << (index % 64);
    }
    pub fn contains(&self, index: usize) -> bool {
        self.0
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    }
    pub fn union(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|index| self.contains(*index))
    }
}

/// How blocks choose parents.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub blocks: usize,
    /// A miner does not see this many of the newest blocks, at most.
    pub delay: usize,
    pub max_parents: usize,
}

/// Block 0 is genesis; every later block names an antichain of earlier ones.
pub struct RandomGraph {
    pub parents: Vec<Vec<usize>>,
    /// Past of each block, without itself.
    pub pasts: Vec<BitSet>,
}

impl RandomGraph {
    pub fn new(shape: Shape, random: &mut Random) -> Self {
        let mut graph = Self {
            parents: vec![Vec::new()],
            pasts: vec![BitSet::default()],
        };
        while graph.parents.len() < shape.blocks {
            let seen = graph
                .parents
                .len()
                .saturating_sub(random.below(shape.delay + 1))
                .max(1);
            let parents = graph.choose(seen, shape.max_parents, random);
            graph.push(parents);
        }
        graph
    }

    /// Tips of the first `seen` blocks, at most `max`, in random order.
    fn choose(&self, seen: usize, max: usize, random: &mut Random) -> Vec<usize> {
        let mut tips: BTreeSet<usize> = (seen.saturating_sub(200)..seen).collect();
        for block in seen.saturating_sub(200)..seen {
            for parent in &self.parents[block] {
                tips.remove(parent);
            }
        }
        let mut tips: Vec<usize> = tips.into_iter().collect();
        for index in (1..tips.len()).rev() {
            tips.swap(index, random.below(index + 1));
        }
        tips.truncate(max.max(1));
        let antichain = |block: &&usize| {
            !tips
                .iter()
                .any(|other| self.pasts[*other].contains(**block))
        };
        tips.iter().filter(antichain).copied().collect()
    }

    pub fn push(&mut self, parents: Vec<usize>) {
        let mut past = BitSet::default();
        for parent in &parents {
            past.union(&self.pasts[*parent]);
            past.insert(*parent);
        }
        self.parents.push(parents);
        self.pasts.push(past);
    }

    /// Whether `a` is `b` or in its past.
    pub fn is_ancestor(&self, a: usize, b: usize) -> bool {
        a == b || self.pasts[b].contains(a)
    }
}
