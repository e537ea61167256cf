//! Network conditions between the nodes: delays and partitions.

use svc_chance::chance::Chance;

/// Mean delays of a link, milliseconds: calm, busy, storm.
const DELAYS_MS: [u64; 4] = [300, 1_500, 4_000, 9_000];

/// The state of all links.
#[derive(Clone, Debug)]
pub struct Weather {
    delay_ms: u64,
    /// Side of each node while the network is parted.
    sides: Option<Vec<bool>>,
}

impl Weather {
    /// A network without partitions, with the first of the delays.
    pub fn new() -> Self {
        Self {
            delay_ms: DELAYS_MS[0],
            sides: None,
        }
    }

    /// Draws new delays.
    pub fn change(&mut self, chance: &mut Chance) {
        self.delay_ms = DELAYS_MS[chance.below(DELAYS_MS.len() as u64) as usize];
    }

    /// Parts the nodes into two sides, none of them empty.
    pub fn part(&mut self, nodes: usize, chance: &mut Chance) {
        let mut sides: Vec<bool> = (0..nodes).map(|_| chance.below(2) == 0).collect();
        if let Some(first) = sides.first().copied()
            && sides.iter().all(|side| *side == first)
            && let Some(last) = sides.last_mut()
        {
            *last = !first;
        }
        self.sides = Some(sides);
    }

    /// Joins the sides again.
    pub fn heal(&mut self) {
        self.sides = None;
    }

    /// Whether the network is parted.
    pub fn is_parted(&self) -> bool {
        self.sides.is_some()
    }

    /// Whether nothing goes from one node to the other.
    pub fn parts(&self, from: usize, to: usize) -> bool {
        self.sides
            .as_ref()
            .is_some_and(|sides| sides.get(from) != sides.get(to))
    }

    /// Delay of one block on one link.
    pub fn delay(&self, chance: &mut Chance) -> u64 {
        50 + chance.waiting(self.delay_ms)
    }
}

impl Default for Weather {
    fn default() -> Self {
        Self::new()
    }
}
