//! Moduli of the two prime fields of the Pasta cycle, as limb constants.

/// Limbs of one element: nine of 29 bits hold 261 bits.
pub const LIMBS: usize = 9;
/// Bits of a limb.
pub const LIMB_BITS: u32 = 29;
/// The low 29 bits.
pub const LIMB_MASK: u32 = (1 << LIMB_BITS) - 1;

/// A prime below 2²⁵⁵ that is 1 modulo 2³² and whose limbs 5 to 7 are zero and limb 8 is 2²².
///
/// That shape is what makes the reduction cheap: the quotient digit of a row is the negated low limb, and a row
/// costs four products and a shift.
pub trait Modulus:
    Copy + Clone + core::fmt::Debug + PartialEq + Eq + Send + Sync + 'static
{
    /// The modulus in limbs.
    const LIMBS: [u32; LIMBS];
    /// 2²⁶¹ mod m: the Montgomery form of one.
    const R: [u32; LIMBS];
    /// 2⁵²² mod m: turns a plain value into Montgomery form by one product.
    const R2: [u32; LIMBS];
    /// m in four little-endian 64-bit words.
    const WORDS: [u64; 4];
}

/// The field of circuit values: base field of Pallas, scalar field of Vesta (…992d30ed00000001).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PallasBase;

/// The other field: scalar field of Pallas, base field of Vesta (…8c46eb2100000001).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PallasScalar;

impl Modulus for PallasBase {
    const LIMBS: [u32; LIMBS] = [
        0x00000001, 0x09698768, 0x133e46e6, 0x0d31f812, 0x00000224, 0x00000000, 0x00000000,
        0x00000000, 0x00400000,
    ];
    const R: [u32; LIMBS] = [
        0x1fffff81, 0x14a5d367, 0x141ad3c0, 0x1435eec5, 0x1ffeefef, 0x1fffffff, 0x1fffffff,
        0x1fffffff, 0x003fffff,
    ];
    const R2: [u32; LIMBS] = [
        0x00003b6a, 0x19c10910, 0x1a6a0188, 0x12a4fd88, 0x0634b36d, 0x178792ba, 0x07797a99,
        0x1dce5b8a, 0x003506bd,
    ];
    const WORDS: [u64; 4] = [
        0x992d30ed00000001,
        0x224698fc094cf91b,
        0x0000000000000000,
        0x4000000000000000,
    ];
}

impl Modulus for PallasScalar {
    const LIMBS: [u32; LIMBS] = [
        0x00000001, 0x02375908, 0x052a3763, 0x0d31f813, 0x00000224, 0x00000000, 0x00000000,
        0x00000000, 0x00400000,
    ];
    const R: [u32; LIMBS] = [
        0x1fffff81, 0x068ad507, 0x100e85da, 0x1435ee7e, 0x1ffeefef, 0x1fffffff, 0x1fffffff,
        0x1fffffff, 0x003fffff,
    ];
    const R2: [u32; LIMBS] = [
        0x00003b6a, 0x02b1b550, 0x1027888a, 0x1ea4ed96, 0x0418ad7a, 0x000999eb, 0x17fae231,
        0x1e67ed54, 0x003506bd,
    ];
    const WORDS: [u64; 4] = [
        0x8c46eb2100000001,
        0x224698fc0994a8dd,
        0x0000000000000000,
        0x4000000000000000,
    ];
}
