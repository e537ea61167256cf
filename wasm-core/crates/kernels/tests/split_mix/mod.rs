//! Random values for tests.

/// A small random generator; tests print its seed.
pub struct SplitMix(pub u64);

impl SplitMix {
    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    /// A canonical scalar of either field.
    pub fn scalar(&mut self) -> [u64; 4] {
        [self.next(), self.next(), self.next(), self.next() >> 2]
    }
}
