//! Unsigned payment: a proved bundle that waits for its signatures (specification shielded 18).

use orchard::pczt;
use orchard::primitives::redpallas::Signature;
use rand::CryptoRng;
use svc_chain::subnetwork::NATIVE;
use svc_chain::transaction::{SHIELDED_VERSION, Transaction};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::bundle::{Action, Bundle, FLAG_ANCHOR_BLOCK, proof_len};
use svc_shielded::field::scalar_bytes;
use svc_shielded::random::system_rng;
use svc_shielded::sighash::{WALLET_TX_CONTEXT, sighash};
use svc_shielded::signing::disclosed::Disclosed;
use svc_shielded::signing::signer::{Alpha, SpendSignature};

use crate::bundle_request::BundleRequest;

/// An unsigned payment: the bundle in upstream's partial form and in ours, with what a signer needs to check and sign
/// it.
#[derive(Debug)]
pub struct Payment {
    partial: pczt::Bundle,
    bundle: Bundle,
    disclosure: Vec<Disclosed>,
    alphas: Vec<Alpha>,
    sighash: Hash32,
}

impl Payment {
    /// Fixes what the signatures will cover, signs the dummy spends and sums up the binding key. The proof is
    /// made afterwards: the sighash does not depend on it.
    ///
    /// Errors: `prove/failed`.
    pub fn prepare(
        request: &BundleRequest,
        mut partial: pczt::Bundle,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, SvcError> {
        let bundle = unsigned_bundle(&partial, request.anchor, request.anchor_block)?;
        let sighash = sighash(
            &request.personal,
            &request.domain,
            &bundle,
            &WALLET_TX_CONTEXT,
        );
        let disclosure = partial
            .actions()
            .iter()
            .map(disclose)
            .collect::<Result<Vec<_>, _>>()?;
        let alphas = real_alphas(&partial)?;
        partial.finalize_io(sighash.0, rng).map_err(failed)?;
        Ok(Self {
            partial,
            bundle,
            disclosure,
            alphas,
            sighash,
        })
    }

    /// The partial bundle, for the prover to add the proof.
    pub(crate) fn partial_mut(&mut self) -> &mut pczt::Bundle {
        &mut self.partial
    }

    /// Takes the proof over from the partial bundle. Error: `prove/failed` if there is none.
    pub(crate) fn take_proof(&mut self) -> Result<(), SvcError> {
        let proof = self
            .partial
            .zkproof()
            .as_ref()
            .ok_or_else(|| failed("no proof was made"))?;
        self.bundle.proof = proof.as_ref().to_vec();
        Ok(())
    }

    /// The actions as they will be proved.
    pub(crate) fn partial(&self) -> &pczt::Bundle {
        &self.partial
    }

    /// Takes a proof over if `check` accepts the bundle that holds it. Errors: `prove/failed` for a length that no proof
    /// over these actions has, those of `check`.
    pub(crate) fn set_proof(
        &mut self,
        proof: Vec<u8>,
        check: impl FnOnce(&Bundle) -> Result<(), SvcError>,
    ) -> Result<(), SvcError> {
        if proof.len() != proof_len(self.bundle.actions.len()) {
            return Err(failed("length of the proof"));
        }
        self.bundle.proof = proof;
        let verdict = check(&self.bundle);
        if verdict.is_err() {
            self.bundle.proof.clear();
        }
        verdict
    }

    /// The proved bundle; all signatures are zero.
    pub fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// One entry per action, in action order.
    pub fn disclosure(&self) -> &[Disclosed] {
        &self.disclosure
    }

    /// One entry per spend that the owner has to sign.
    pub fn alphas(&self) -> &[Alpha] {
        &self.alphas
    }

    /// What the signatures cover.
    pub fn sighash(&self) -> Hash32 {
        self.sighash
    }

    /// Applies the signatures, each checked under the key of its action, makes the binding signature and
    /// returns the transaction.
    ///
    /// Errors: `prove/missing-signature`, `shielded/spend-signature-invalid`, `prove/failed`,
    /// `keys/random-unavailable`.
    pub fn finalize(&mut self, signatures: &[SpendSignature]) -> Result<Transaction, SvcError> {
        for alpha in &self.alphas {
            let signature = signatures
                .iter()
                .find(|signature| signature.index == alpha.index)
                .ok_or_else(|| {
                    SvcError::new(Code::ProveMissingSignature).with("index", alpha.index)
                })?;
            apply(&mut self.partial, self.sighash, signature)?;
        }
        if self.bundle.proof.is_empty() {
            return Err(failed("no proof was made"));
        }
        let mut bundle = self.bundle.clone();
        for (action, partial) in bundle.actions.iter_mut().zip(self.partial.actions()) {
            let signature = partial.spend().spend_auth_sig().as_ref();
            let signature = signature.ok_or_else(|| failed("a signature is missing"))?;
            let checked = partial.spend().rk().verify(&self.sighash.0, signature);
            checked.map_err(|_| failed("a signature"))?;
            action.signature = signature.into();
        }
        // That this key fits the actions was checked when it was summed up.
        let binding_key = self
            .partial
            .bsk()
            .as_ref()
            .ok_or_else(|| failed("no binding key"))?;
        bundle.binding_signature = (&binding_key.sign(system_rng()?, &self.sighash.0)).into();
        Ok(envelope(&bundle))
    }
}

fn apply(
    partial: &mut pczt::Bundle,
    sighash: Hash32,
    signature: &SpendSignature,
) -> Result<(), SvcError> {
    let refuse =
        || SvcError::new(Code::ShieldedSpendSignatureInvalid).with("action", signature.index);
    let action = partial
        .actions_mut()
        .get_mut(signature.index as usize)
        .ok_or_else(refuse)?;
    action
        .apply_signature(sighash.0, Signature::from(signature.sig))
        .map_err(|_| refuse())
}

/// A payment's envelope: version 2, native, nothing but the payload (specification shielded 3.1).
pub fn envelope(bundle: &Bundle) -> Transaction {
    Transaction {
        version: SHIELDED_VERSION,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: NATIVE,
        gas: 0,
        payload: bundle.encode(),
        storage_mass: 0,
    }
}

/// The bundle in our form, without proof and signatures.
///
/// # Errors
/// `prove/failed` for a value balance that no bundle can have.
pub fn unsigned_bundle(
    partial: &pczt::Bundle,
    anchor: Hash32,
    anchor_block: Option<Hash32>,
) -> Result<Bundle, SvcError> {
    let value_balance = i64::try_from(*partial.value_sum()).map_err(failed)?;
    let anchor_flag = if anchor_block.is_some() {
        FLAG_ANCHOR_BLOCK
    } else {
        0
    };
    Ok(Bundle {
        flags: partial.flag_byte() | anchor_flag,
        value_balance,
        anchor,
        binding_signature: [0; 64],
        actions: partial.actions().iter().map(unsigned_action).collect(),
        proof: Vec::new(),
        anchor_block,
    })
}

fn unsigned_action(action: &pczt::Action) -> Action {
    let ciphertext = action.output().encrypted_note();
    Action {
        nullifier: Hash32(action.spend().nullifier().to_bytes()),
        rk: action.spend().rk().into(),
        cmx: Hash32(action.output().cmx().to_bytes()),
        cv_net: action.cv_net().to_bytes(),
        epk: ciphertext.epk_bytes,
        enc_ciphertext: ciphertext.enc_ciphertext.0,
        out_ciphertext: ciphertext.out_ciphertext,
        signature: [0; 64],
    }
}

fn disclose(action: &pczt::Action) -> Result<Disclosed, SvcError> {
    let (spend, output) = (action.spend(), action.output());
    let disclosed = || {
        Some(Disclosed {
            spend_value: spend.value().as_ref()?.inner(),
            out_value: output.value().as_ref()?.inner(),
            out_recipient: output.recipient().as_ref()?.to_raw_address_bytes(),
            out_rseed: *output.rseed().as_ref()?.as_bytes(),
            rcv: action.rcv().as_ref()?.to_bytes(),
        })
    };
    disclosed().ok_or_else(|| failed("the builder left a field of an action empty"))
}

/// Randomizers of the spends that are not dummies. To be read before the dummies are signed, which removes
/// their throwaway keys.
fn real_alphas(partial: &pczt::Bundle) -> Result<Vec<Alpha>, SvcError> {
    let real = partial
        .actions()
        .iter()
        .enumerate()
        .filter(|(_, action)| action.spend().dummy_sk().is_none());
    real.map(|(index, action)| {
        let alpha = action
            .spend()
            .alpha()
            .as_ref()
            .ok_or_else(|| failed("a spend has no randomizer"))?;
        Ok(Alpha {
            index: index as u32,
            alpha: scalar_bytes(alpha),
        })
    })
    .collect()
}

fn failed(reason: impl core::fmt::Display) -> SvcError {
    SvcError::new(Code::ProveFailed).with("reason", reason)
}
