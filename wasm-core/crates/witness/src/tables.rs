//! Precomputed window tables of the fixed bases.
//!
//! A scalar is cut into windows of three bits k₀, k₁, …. Window w of all but the last has the points (k + 2)·8^w·B for
//! its eight digits k; the 2 keeps the identity out of the sums. The last one, L, has k·8^L·B − Σ 2·8^w·B, which takes
//! the twos away again. Of every point (x, y) the circuit also shows a root u of y + z, where z is a fixed value of the
//! window for which no y − z of the window is a square.

use svc_circuit::assets::{Assets, pin_of};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::curve::{Affine, Pallas, Point, normalize};
use svc_kernels::field::sqrt::sqrt_pair;
use svc_kernels::field::stored::Pair;

use crate::sheet::Fp;

/// Bits of a window.
pub const WINDOW_BITS: usize = 3;
/// Windows of a full scalar.
pub const WINDOWS: usize = 85;
/// Windows of a scalar of 64 bits.
pub const SHORT_WINDOWS: usize = 22;
/// Points of a window.
const DIGITS: usize = 1 << WINDOW_BITS;
/// Entries of all bases.
const ENTRIES: usize = DIGITS * (SHORT_WINDOWS + 5 * WINDOWS);
/// Bytes of a stored entry: x, y, u.
const ENTRY_LEN: usize = 96;
/// The fixed column of the windows' z.
const Z_COLUMN: usize = 11;
/// BLAKE2b-256 of the stored form.
pub const WINDOW_TABLE_PIN: [u8; 32] = [
    0x0c, 0x67, 0x04, 0x40, 0xdc, 0x69, 0x72, 0xc4, 0xdf, 0x28, 0x8f, 0x01, 0x56, 0xaf, 0x32, 0x06,
    0x3b, 0xbc, 0x62, 0xa1, 0x96, 0x9a, 0xb6, 0xb6, 0x33, 0x07, 0x88, 0x21, 0xdd, 0xf1, 0x0a, 0xc4,
];

/// Coordinates of the bases in the order of [`Base`], in little-endian words.
const POINTS: [[[u64; 4]; 2]; 6] = [
    [
        [
            0x2aa7bd6e3af94367,
            0xfe04a37f2b5a7c8c,
            0xf7a86a704f9bb232,
            0x2f70597a8e3d0f42,
        ],
        [
            0xa413c47eaf5af28e,
            0x1d9ea766a7ffe3db,
            0x1e917f63136d6c42,
            0x2d0e5169311919af,
        ],
    ],
    [
        [
            0x0ec3c668883c5a91,
            0x406ed745ee90802f,
            0x4f66235bea8d2048,
            0x07f444550fa409bb,
        ],
        [
            0x0e2f46c8a772d9ca,
            0x279229f1f3928146,
            0x21562cc9e46fb7c2,
            0x24136777af26628c,
        ],
    ],
    [
        [
            0xd36f6aa7e447ca75,
            0x5e7eb192ccb5db9b,
            0x2e375571faf4c9cf,
            0x25e7aa169ca8198d,
        ],
        [
            0x2db8dce21ae001cc,
            0x5fe0a49ec1c1b433,
            0x880473442008ff75,
            0x155c1f851b1a3384,
        ],
    ],
    [
        [
            0x8d1a7284b875c963,
            0x0c7f0ce37b70a10c,
            0x3b8d187c3e5f445f,
            0x375523b328f1d606,
        ],
        [
            0x4ce33e817b0c3bc9,
            0xdfc914fec005bdd8,
            0x7b10bcfcfed624fb,
            0x1ad0357fdf1a66db,
        ],
    ],
    [
        [
            0x9823486e5ff8a118,
            0x02957fe2d31aedc7,
            0x1634290a40808948,
            0x25a22ccd5070134e,
        ],
        [
            0x3fe793b3e37fdda9,
            0x6b4442fb1b58a6c7,
            0xc2c890c4284b5794,
            0x29cfd29966a2faeb,
        ],
    ],
    [
        [
            0x2c022c480ffc6e13,
            0x239ec55cfc14a47c,
            0xcd239fab936f3df2,
            0x26b206c328a94533,
        ],
        [
            0xc34153c622cf37e3,
            0x79c7c07823e0dcf6,
            0xa9541a2f2366e1c6,
            0x3cde564b686dc04c,
        ],
    ],
];

/// A base that is multiplied by secret scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The value in a value commitment; a short scalar.
    ValueCommitV,
    /// The trapdoor of a value commitment.
    ValueCommitR,
    /// The randomness of a nullifier.
    NullifierK,
    /// The randomizer of a spend key.
    SpendAuthG,
    /// The trapdoor of an incoming viewing key.
    CommitIvkR,
    /// The trapdoor of a note commitment.
    NoteCommitR,
}

/// A multiple of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The point; never the identity.
    pub point: Affine<Pallas>,
    /// The root of its ordinate plus the window's z.
    pub root: Fp,
}

/// The tables of all bases; public, 390 KB.
#[derive(Clone)]
pub struct WindowTables {
    entries: Vec<Entry>,
}

impl Base {
    const ALL: [Self; 6] = [
        Self::ValueCommitV,
        Self::ValueCommitR,
        Self::NullifierK,
        Self::SpendAuthG,
        Self::CommitIvkR,
        Self::NoteCommitR,
    ];

    /// Windows of its scalars.
    pub const fn windows(self) -> usize {
        match self {
            Self::ValueCommitV => SHORT_WINDOWS,
            _ => WINDOWS,
        }
    }

    /// The first of its entries.
    const fn start(self) -> usize {
        match self {
            Self::ValueCommitV => 0,
            other => DIGITS * (SHORT_WINDOWS + (other as usize - 1) * WINDOWS),
        }
    }

    /// A region that multiplies it: the windows' z are in its rows.
    const fn region(self) -> usize {
        match self {
            Self::ValueCommitV => 266,
            Self::ValueCommitR => 268,
            Self::NullifierK => 275,
            Self::SpendAuthG => 280,
            Self::CommitIvkR => 290,
            Self::NoteCommitR => 327,
        }
    }

    /// The point: a group hash of the protocol.
    fn point(self) -> Affine<Pallas> {
        let [x, y] = POINTS[self as usize];
        Affine {
            x: Fp::from_words(&x),
            y: Fp::from_words(&y),
        }
    }
}

impl WindowTables {
    /// Computes the tables: 3,576 additions and square roots.
    pub fn build(assets: &Assets) -> Self {
        let mut multiples = Vec::with_capacity(ENTRIES);
        for base in Base::ALL {
            push_multiples(base, &mut multiples);
        }
        let zero = Entry {
            point: Affine::IDENTITY,
            root: Fp::ZERO,
        };
        let mut entries = vec![zero; ENTRIES];
        for (entry, point) in entries.iter_mut().zip(normalize(&multiples)) {
            entry.point = point;
        }
        for base in Base::ALL {
            set_roots(base, assets, &mut entries);
        }
        Self { entries }
    }

    /// The entry of a digit, of which only the lowest three bits count. `window` must be one of the base's.
    pub fn entry(&self, base: Base, window: usize, digit: u8) -> &Entry {
        let digit = usize::from(digit) % DIGITS;
        &self.entries[base.start() + DIGITS * (window % base.windows()) + digit]
    }

    /// The form in which tables are kept between starts.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::with_capacity(ENTRIES * ENTRY_LEN);
        for entry in &self.entries {
            for value in [&entry.point.x, &entry.point.y, &entry.root] {
                writer.bytes(&value.to_bytes());
            }
        }
        writer.into_vec()
    }

    /// Reads the stored form; none for any other bytes than those [`WindowTables::to_bytes`] gives.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if pin_of(bytes) != WINDOW_TABLE_PIN {
            return None;
        }
        let mut reader = Reader::new(bytes);
        let mut value = || Fp::from_bytes(&reader.array().ok()?);
        let mut entries = Vec::with_capacity(ENTRIES);
        for _ in 0..ENTRIES {
            let (x, y) = (value()?, value()?);
            entries.push(Entry {
                point: Affine { x, y },
                root: value()?,
            });
        }
        Some(Self { entries })
    }
}

impl core::fmt::Debug for WindowTables {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("WindowTables(..)")
    }
}

/// Appends the points of all windows of a base.
fn push_multiples(base: Base, multiples: &mut Vec<Point<Pallas>>) {
    let mut power = base.point().to_point();
    let mut powers = Vec::with_capacity(base.windows());
    for _ in 0..base.windows() {
        powers.push(power);
        power = power.double().double().double();
    }
    let powers = normalize(&powers);
    let mut twos = Point::identity();
    for (window, power) in powers.iter().enumerate() {
        let mut point = if window + 1 < powers.len() {
            let two = power.to_point().double();
            twos = twos.add(&two);
            two
        } else {
            twos.neg()
        };
        for _ in 0..DIGITS {
            multiples.push(point);
            point = point.add_affine(power);
        }
    }
}

/// Computes the roots of a base's entries, two at a time.
fn set_roots(base: Base, assets: &Assets, entries: &mut [Entry]) {
    let row = assets.regions.get(base.region()).copied().unwrap_or(0);
    for window in 0..base.windows() {
        let z = assets.fixed[Z_COLUMN].get(usize::from(row) + window);
        let start = base.start() + DIGITS * window;
        for pair in entries[start..start + DIGITS].chunks_exact_mut(2) {
            let [first, second] = [0, 1].map(|lane: usize| pair[lane].point.y.add(&z));
            let (roots, _) = sqrt_pair(&Pair::new(&first, &second));
            for (lane, entry) in pair.iter_mut().enumerate() {
                // The circuit's root is the other one.
                entry.root = roots.get(lane).neg();
            }
        }
    }
}
