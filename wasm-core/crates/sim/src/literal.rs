//! Reference implementation of GHOSTDAG by its definition, over whole sets of blocks (specification consensus 7.1):
//! no stored sizes, no reachability tree, no early end.

use std::collections::HashMap;

use svc_chain::bits::work_from_bits;
use svc_chain::header::Header;
use svc_chain::uint256::U256;
use svc_codec::hash32::Hash32;

/// A set of block numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BlockSet(Vec<u64>);

impl BlockSet {
    fn insert(&mut self, block: usize) {
        let word = block / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (block % 64);
    }

    fn contains(&self, block: usize) -> bool {
        self.0
            .get(block / 64)
            .is_some_and(|word| word >> (block % 64) & 1 == 1)
    }

    fn add_all(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Members that are not in `other`.
    fn without(&self, other: &Self) -> Vec<usize> {
        let mut found = Vec::new();
        for (index, word) in self.0.iter().enumerate() {
            let mut left = word & !other.0.get(index).copied().unwrap_or(0);
            while left != 0 {
                found.push(index * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        found
    }
}

/// GHOSTDAG data of one block by the definition.
#[derive(Clone, Debug)]
pub struct Place {
    /// The parent with most work.
    pub selected_parent: Hash32,
    /// Blue mergeset, selected parent first, then ascending.
    pub blues: Vec<Hash32>,
    /// Red mergeset, ascending.
    pub reds: Vec<Hash32>,
    /// Blue blocks in the past.
    pub blue_score: u64,
    /// Their work.
    pub blue_work: U256,
}

struct Known {
    hash: Hash32,
    past: BlockSet,
    /// Every blue block of the past.
    blue_set: BlockSet,
    work: U256,
    bits: u32,
}

/// A DAG that grows block by block.
pub struct LiteralDag {
    k: usize,
    blocks: Vec<Known>,
    numbers: HashMap<Hash32, usize>,
}

impl LiteralDag {
    /// A DAG that holds genesis.
    pub fn new(k: u16, genesis: Hash32, bits: u32) -> Self {
        let first = Known {
            hash: genesis,
            past: BlockSet::default(),
            blue_set: BlockSet::default(),
            work: U256::zero(),
            bits,
        };
        Self {
            k: usize::from(k),
            blocks: vec![first],
            numbers: HashMap::from([(genesis, 0)]),
        }
    }

    fn key(&self, block: usize) -> (U256, Hash32) {
        (self.blocks[block].work, self.blocks[block].hash)
    }

    fn in_past(&self, block: usize, of: usize) -> bool {
        self.blocks[of].past.contains(block)
    }

    fn anticone(&self, block: usize, set: &BlockSet) -> Vec<usize> {
        let mut around = set.without(&self.blocks[block].past);
        around.retain(|other| *other != block && !self.in_past(block, *other));
        around
    }

    /// Adds a block whose parents are known. `None` when one is not, or there is none.
    pub fn add(&mut self, hash: Hash32, header: &Header) -> Option<Place> {
        let parents: Vec<usize> = header
            .direct_parents()
            .iter()
            .map(|parent| self.numbers.get(parent).copied())
            .collect::<Option<_>>()?;
        let selected = parents
            .iter()
            .copied()
            .max_by_key(|parent| self.key(*parent))?;
        let mut past = BlockSet::default();
        for parent in &parents {
            past.add_all(&self.blocks[*parent].past);
            past.insert(*parent);
        }
        let mut mergeset = past.without(&self.blocks[selected].past);
        mergeset.retain(|block| *block != selected);
        mergeset.sort_by_key(|block| self.key(*block));

        let mut blue_set = self.blocks[selected].blue_set.clone();
        blue_set.insert(selected);
        let (mut blues, mut reds) = (vec![selected], Vec::new());
        for candidate in mergeset {
            let around = self.anticone(candidate, &blue_set);
            let fits = blues.len() <= self.k
                && around.len() <= self.k
                && around
                    .iter()
                    .all(|peer| self.anticone(*peer, &blue_set).len() < self.k);
            if fits {
                blue_set.insert(candidate);
                blues.push(candidate);
            } else {
                reds.push(candidate);
            }
        }
        let work = blues.iter().fold(self.blocks[selected].work, |sum, blue| {
            sum + work_from_bits(self.blocks[*blue].bits)
        });
        let ids = |list: &[usize]| list.iter().map(|block| self.blocks[*block].hash).collect();
        let place = Place {
            selected_parent: self.blocks[selected].hash,
            blues: ids(&blues),
            reds: ids(&reds),
            blue_score: blue_set.len(),
            blue_work: work,
        };
        self.numbers.insert(hash, self.blocks.len());
        self.blocks.push(Known {
            hash,
            past,
            blue_set,
            work,
            bits: header.bits,
        });
        Some(place)
    }
}
