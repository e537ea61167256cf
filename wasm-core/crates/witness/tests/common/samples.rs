//! Actions with random keys, notes and paths.

use ff::{Field, FromUniformBytes, PrimeField};
use orchard::Note;
use orchard::builder::SpendInfo;
use orchard::circuit::{Circuit, OrchardCircuitVersion};
use orchard::keys::{FullViewingKey, Scope, SpendingKey};
use orchard::note::{ExtractedNoteCommitment, NoteVersion, RandomSeed, Rho};
use orchard::tree::{MerkleHashOrchard, MerklePath};
use orchard::value::{NoteValue, ValueCommitTrapdoor};
use pasta_curves::pallas;
use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};

/// What an action is made from, and upstream's circuit of it.
pub struct Sample {
    pub fvk: FullViewingKey,
    pub scope: Scope,
    pub spent: Note,
    pub made: Note,
    pub position: u32,
    pub path: [MerkleHashOrchard; 32],
    pub alpha: pallas::Scalar,
    pub rcv: ValueCommitTrapdoor,
    pub circuit: Circuit,
    pub instance: Vec<pallas::Base>,
}

/// Values of the spent and of the new note, by turns.
const VALUES: [(u64, u64); 6] = [
    (100_000, 99_000),
    (0, 5),
    (7, 0),
    (u64::MAX, 0),
    (0, u64::MAX),
    (0, 0),
];

/// A random action. The seed also picks the values: zeros and the largest come by turns.
pub fn sample(seed: u64) -> Sample {
    println!("sample {seed}");
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut bytes = || -> [u8; 32] {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        bytes
    };
    let key = loop {
        if let Some(key) = SpendingKey::from_bytes(bytes()).into_option() {
            break FullViewingKey::from(&key);
        }
    };
    let scope = if seed.is_multiple_of(2) {
        Scope::External
    } else {
        Scope::Internal
    };
    let values = VALUES[seed as usize % VALUES.len()];
    let mut low = || {
        let mut low = bytes();
        // Below the modulus.
        low[31] &= 0x3f;
        low
    };
    let recipient = key.address_at(seed as u32, scope);
    let mut note = |recipient, value, rho: Rho| loop {
        let Some(rseed) = RandomSeed::from_bytes(low(), &rho).into_option() else {
            continue;
        };
        let value = NoteValue::from_raw(value);
        let note = Note::from_parts(recipient, value, rho, rseed, NoteVersion::V2);
        if let Some(note) = note.into_option() {
            break note;
        }
    };
    // Only elements from 2²⁵⁴ on have their highest bit set, which no random one has.
    let rho = match seed % 3 {
        2 => (-pallas::Base::ONE).to_repr(),
        _ => [seed as u8 & 0x3f | 1; 32],
    };
    let rho = Rho::from_bytes(&rho).unwrap();
    let spent = note(recipient, values.0, rho);
    let rho = Rho::from_bytes(&spent.nullifier(&key).to_bytes()).unwrap();
    let made = note(key.address_at(77u32, Scope::External), values.1, rho);
    let mut path = [(); 32].map(|()| MerkleHashOrchard::from_bytes(&low()).unwrap());
    // The largest and the least node, once for each of the chips that hash.
    for (level, node) in [
        (3, -pallas::Base::ONE),
        (4, pallas::Base::ZERO),
        (20, -pallas::Base::ONE),
    ] {
        path[level] = MerkleHashOrchard::from_bytes(&node.to_repr()).unwrap();
    }
    let position = u32::from_le_bytes([low()[0], low()[1], low()[2], low()[3]]);
    let alpha = scalar(low(), low());
    let rcv = ValueCommitTrapdoor::from_bytes(scalar(low(), low()).to_repr()).unwrap();
    finish(key, scope, [spent, made], (position, path), alpha, rcv)
}

fn scalar(low: [u8; 32], high: [u8; 32]) -> pallas::Scalar {
    let mut wide = [0; 64];
    wide[..32].copy_from_slice(&low);
    wide[32..].copy_from_slice(&high);
    pallas::Scalar::from_uniform_bytes(&wide)
}

fn finish(
    fvk: FullViewingKey,
    scope: Scope,
    [spent, made]: [Note; 2],
    (position, path): (u32, [MerkleHashOrchard; 32]),
    alpha: pallas::Scalar,
    rcv: ValueCommitTrapdoor,
) -> Sample {
    let merkle = MerklePath::from_parts(position, path);
    let anchor = merkle.root(ExtractedNoteCommitment::from(spent.commitment()));
    let spend = SpendInfo::new(fvk.clone(), spent, merkle).unwrap();
    let version = OrchardCircuitVersion::FixedPostNu6_2;
    let circuit = Circuit::from_action_context(spend, made, alpha, rcv.clone(), version).unwrap();
    // The circuit reads the anchor and the first two flags; all else is tied by copies alone.
    let mut instance = vec![pallas::Base::ZERO; 10];
    instance[0] = pallas::Base::from_repr(anchor.to_bytes()).unwrap();
    instance[7] = pallas::Base::ONE;
    instance[8] = pallas::Base::ONE;
    Sample {
        fvk,
        scope,
        spent,
        made,
        position,
        path,
        alpha,
        rcv,
        circuit,
        instance,
    }
}
