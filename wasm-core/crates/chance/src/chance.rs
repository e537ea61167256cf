//! Pseudo-random number generator (SplitMix64) with a printed seed.

/// A stream of numbers that depends on nothing but its seed.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of a seed for one purpose: other names give other streams.
    pub fn for_name(seed: u64, name: &str) -> Self {
        let mixed = name.bytes().fold(seed, |mixed, byte| {
            (mixed ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(mixed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; 0 for the bound 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits().checked_rem(bound).unwrap_or(0)
    }

    /// A place among so many; 0 of none.
    pub fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    /// True once in so many draws.
    pub fn one_in(&mut self, draws: usize) -> bool {
        self.index(draws) == 0
    }

    /// One of several values; `None` of nothing.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> Option<&'a T> {
        values.get(self.index(values.len()))
    }

    /// True in so many of a thousand draws.
    pub fn permille(&mut self, share: u64) -> bool {
        self.below(1_000) < share
    }

    /// Waiting time of a process without memory, in the unit of its mean, at most thirty means.
    pub fn waiting(&mut self, mean: u64) -> u64 {
        // -ln(u) of u = (n + 1) / 2^16, as a sum of halvings: exact enough, and the same on every machine.
        let mut left = self.below(1 << 16) + 1;
        let mut thousandths = 0;
        while left < 1 << 15 {
            left <<= 1;
            thousandths += 693;
        }
        // Between 1/2 and 1 the logarithm is close to a straight line.
        thousandths += 693 * ((1 << 16) - left) / (1 << 15);
        (mean * thousandths / 1_000).min(mean * 30)
    }
}
