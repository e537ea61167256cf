//! GLV lattice of a curve, by which a scalar is divided into two halves.

/// The short lattice basis of one curve: k = k₁ + k₂λ with k₁ = k − c₁·n₁₁ − c₂·n₂₁ and k₂ = c₂·n₂₂ − c₁·n₁₂,
/// where c_i = round(k·g_i / 2²⁵⁶).
#[derive(Copy, Clone, Debug)]
pub struct Lattice {
    /// g₁ = ⌊2²⁵⁶·n₂₂ / r⌋.
    pub g1: [u64; 3],
    /// g₂ = ⌊2²⁵⁶·n₁₂ / r⌋.
    pub g2: [u64; 3],
    /// First vector.
    pub n11: u128,
    /// First vector.
    pub n12: u128,
    /// Second vector.
    pub n21: u128,
    /// Second vector, negated.
    pub n22: u128,
}
