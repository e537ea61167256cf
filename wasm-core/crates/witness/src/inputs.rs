//! The private inputs of an action.

use svc_kernels::curve::{Affine, Pallas};

use crate::hash::merkle::DEPTH;
use crate::sheet::{Fp, Fq};

/// Keys that a viewing key has: one for addresses handed out, one for change.
pub const SCOPES: usize = 2;

/// The fields that a note commits to, but for the number it is bound to.
#[derive(Clone, Debug)]
pub struct NoteInputs {
    /// Diversified base of the receiver.
    pub g_d: Affine<Pallas>,
    /// Transmission key of the receiver.
    pub pk_d: Affine<Pallas>,
    /// Sompi.
    pub value: u64,
    /// The second nonce.
    pub psi: Fp,
    /// Randomness of the commitment.
    pub rcm: Fq,
}

/// The private inputs of an action. Overwritten when dropped.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The note that is spent.
    pub spent: NoteInputs,
    /// The number that the spent note is bound to. The new note is bound to the nullifier of the spent one.
    pub rho: Fp,
    /// The leaf of the spent note in its tree.
    pub position: u32,
    /// Siblings of the leaf and of the nodes above it, lowest first.
    pub path: [Fp; DEPTH],
    /// The key that authorises spends.
    pub ak: Affine<Pallas>,
    /// The key that nullifiers are derived with.
    pub nk: Fp,
    /// Randomness of the incoming viewing key, of each scope; the receiver of the spent note is of one of them.
    pub rivk: [Fq; SCOPES],
    /// Randomizer of the authorising key.
    pub alpha: Fq,
    /// Randomness of the value commitment.
    pub rcv: Fq,
    /// The note that is created.
    pub created: NoteInputs,
}

impl NoteInputs {
    fn clear(&mut self) {
        self.g_d = Affine::IDENTITY;
        self.pk_d = Affine::IDENTITY;
        self.value = 0;
        self.psi = Fp::ZERO;
        self.rcm = Fq::ZERO;
    }
}

impl Drop for Inputs {
    fn drop(&mut self) {
        self.spent.clear();
        self.created.clear();
        self.rho = Fp::ZERO;
        self.position = 0;
        self.path.fill(Fp::ZERO);
        self.ak = Affine::IDENTITY;
        self.nk = Fp::ZERO;
        self.rivk.fill(Fq::ZERO);
        self.alpha = Fq::ZERO;
        self.rcv = Fq::ZERO;
        core::hint::black_box(self);
    }
}
