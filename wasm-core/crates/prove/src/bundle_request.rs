//! Bundle builder: what goes into one bundle, and its unproved form by upstream's builder (specification shielded
//! 18).

use orchard::Anchor;
use orchard::builder::{Builder, BundleType, SpendError};
use orchard::keys::{FullViewingKey, OutgoingViewingKey, Scope};
use orchard::pczt;
use orchard::tree::{MerkleHashOrchard, MerklePath};
use orchard::value::NoteValue;
use rand::CryptoRng;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::field::node;
use svc_shielded::keys::address::to_orchard;
use svc_shielded::keys::{FVK_LEN, viewing_key};
use svc_shielded::memo;
use svc_shielded::note::NoteParts;
use svc_shielded::signing::payment_check::IntendedPayment;
use svc_shielded::verify::BUNDLE_VERSION;

/// A note to spend and where it is in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpendRequest {
    /// The note.
    pub note: NoteParts,
    /// Its leaf.
    pub position: u32,
    /// Siblings up to the anchor, lowest first.
    pub path: [Hash32; 32],
}

/// Everything that determines a bundle except its randomness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleRequest {
    /// Domain string of the network's sighash.
    pub personal: [u8; 16],
    /// Genesis hash of the network.
    pub domain: Hash32,
    /// Full viewing key of the spender.
    pub fvk: [u8; FVK_LEN],
    /// Root of the note tree that all paths lead to.
    pub anchor: Hash32,
    /// The block of the anchor, exactly from the security fork on.
    pub anchor_block: Option<Hash32>,
    /// Notes to spend.
    pub spends: Vec<SpendRequest>,
    /// Notes to create, change included.
    pub outputs: Vec<IntendedPayment>,
    /// Whether the sender's keys can later read what was sent.
    pub recoverable: bool,
}

impl BundleRequest {
    /// Builds the actions: padded to two with dummies, in random order.
    ///
    /// Errors: `codec/not-canonical`, `keys/bad-viewing-key`, `shielded/bad-recipient`, `shielded/bad-note`,
    /// `shielded/bad-witness` for a path that does not lead to the anchor, `wallet/memo-too-long`,
    /// `prove/bad-plan`.
    pub fn build(&self, rng: &mut impl CryptoRng) -> Result<pczt::Bundle, SvcError> {
        let fvk = viewing_key(&self.fvk)?;
        let anchor = Anchor::from(node(&self.anchor)?);
        let flags = BUNDLE_VERSION.default_flags();
        let mut builder =
            Builder::new(BundleType::DEFAULT, BUNDLE_VERSION, flags, anchor).map_err(bad_plan)?;
        for spend in &self.spends {
            add_spend(&mut builder, &fvk, spend)?;
        }
        let ovk = self.recoverable.then(|| fvk.to_ovk(Scope::External));
        for output in &self.outputs {
            add_output(&mut builder, ovk.clone(), output)?;
        }
        let (bundle, _) = builder.build_for_pczt(rng).map_err(bad_plan)?;
        if bundle.actions().is_empty() {
            return Err(bad_plan("a bundle needs a spend or an output"));
        }
        Ok(bundle)
    }
}

fn add_spend(
    builder: &mut Builder,
    fvk: &FullViewingKey,
    spend: &SpendRequest,
) -> Result<(), SvcError> {
    let siblings = spend
        .path
        .iter()
        .map(node)
        .collect::<Result<Vec<MerkleHashOrchard>, _>>()?;
    let bad_witness = || SvcError::new(Code::ShieldedBadWitness).with("position", spend.position);
    let siblings = siblings.try_into().map_err(|_| bad_witness())?;
    let path = MerklePath::from_parts(spend.position, siblings);
    builder
        .add_spend(fvk.clone(), spend.note.to_note()?, path)
        .map_err(|error| match error {
            SpendError::AnchorMismatch => bad_witness(),
            other => bad_plan(other),
        })
}

fn add_output(
    builder: &mut Builder,
    ovk: Option<OutgoingViewingKey>,
    output: &IntendedPayment,
) -> Result<(), SvcError> {
    let recipient = to_orchard(&output.address)?;
    builder
        .add_output(
            ovk,
            recipient,
            NoteValue::from_raw(output.value),
            memo::pad(&output.memo)?,
        )
        .map_err(bad_plan)
}

fn bad_plan(reason: impl core::fmt::Display) -> SvcError {
    SvcError::new(Code::ProveBadPlan).with("reason", reason)
}
