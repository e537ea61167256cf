//! Verifier of bundles: one at a time for wallets, in batches for nodes.

use svc_circuit::assets::Assets;
use svc_circuit::commitment_tables::build_coefficient_table;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_kernels::curve::{Affine, Pallas, Vesta, normalize};
use svc_kernels::msm::fixed_bases::FixedBases;
use svc_shielded::bundle::Bundle;

use crate::bisect::bisect;
use crate::combined_check::Weights;
use crate::proof_check::ProofCheck;
use crate::proof_terms::ProofTerms;
use crate::signature_check::{PallasValue, SignatureBases, SignatureTerms};
use crate::statement::{Statement, encoded_point_count, encoded_points};
use crate::value_base::ValueBase;

/// The verifier with its tables; building them takes a fraction of a second, or none with cached ones.
pub struct Verifier {
    proofs: ProofCheck,
    signatures: SignatureBases,
    values: ValueBase,
}

/// A bundle on its way: its place among those asked for, what it claims and its equations.
struct Pending<'a> {
    place: usize,
    bundle: &'a Bundle,
    statement: Statement,
    signatures: Vec<Option<SignatureTerms>>,
}

impl Verifier {
    /// Builds the tables.
    ///
    /// # Errors
    /// `prove/assets-damaged` for a circuit of another shape.
    pub fn new(assets: &Assets) -> Result<Self, SvcError> {
        Self::with_table(assets, &build_coefficient_table(assets))
    }

    /// A verifier from a stored table of the circuit's bases of coefficients, which takes longest to build.
    ///
    /// # Errors
    /// `prove/assets-damaged` for a circuit of another shape.
    pub fn with_table(assets: &Assets, coefficients: &FixedBases<Vesta>) -> Result<Self, SvcError> {
        let damaged = || {
            SvcError::new(Code::InternalUnexpected).with("message", "a constant of the verifier")
        };
        Ok(Self {
            proofs: ProofCheck::new(assets, coefficients)?,
            signatures: SignatureBases::new().ok_or_else(damaged)?,
            values: ValueBase::new().ok_or_else(damaged)?,
        })
    }

    /// Checks everything about a bundle that its bytes and its sighash decide. What depends on the chain (anchor,
    /// nullifiers, which format is in force, the sign of the fee) is not looked at.
    ///
    /// # Errors
    /// In this order: `shielded/no-actions`, `codec/not-canonical`, `shielded/bad-flags`, `shielded/bad-field`,
    /// `shielded/bad-point`, `shielded/identity-point`, `shielded/bad-proof-length`, `shielded/proof-invalid`,
    /// `shielded/binding-signature-invalid`, `shielded/spend-signature-invalid`.
    pub fn verify(&self, bundle: &Bundle, sighash: &Hash32) -> Result<(), SvcError> {
        // The seed only matters to a bundle's signatures among each other; what binds it is in the weights' hash.
        self.verify_batch(&[(bundle, *sighash)], &sighash.0)
            .pop()
            .unwrap_or_else(|| Err(no_verdict()))
    }

    /// [`Verifier::verify`] for many bundles at once, at a fraction of the cost; the verdicts are those of single
    /// verification, except that a wrong bundle passes with probability 2⁻¹²⁸. `seed` is fresh from the host's
    /// random source, drawn after the bundles are known.
    pub fn verify_batch(
        &self,
        bundles: &[(&Bundle, Hash32)],
        seed: &[u8; 32],
    ) -> Vec<Result<(), SvcError>> {
        let mut verdicts: Vec<_> = bundles.iter().map(|_| Err(no_verdict())).collect();
        let mut pending = self.decode(bundles, &mut verdicts);
        self.judge_proofs(&mut pending, &mut verdicts, seed);
        self.judge_signatures(&pending, &mut verdicts, seed);
        verdicts
    }

    /// Checks the fields of a bundle and its proof, but no signature: for whoever made the proof and is about to have
    /// it signed.
    ///
    /// # Errors
    /// Those of [`Verifier::verify`] up to `shielded/proof-invalid`.
    pub fn verify_proof(&self, bundle: &Bundle) -> Result<(), SvcError> {
        let mut verdicts = [Err(no_verdict())];
        let mut pending = self.decode(&[(bundle, Hash32([0; 32]))], &mut verdicts);
        // One proof alone is checked exactly, whatever its weight.
        self.judge_proofs(&mut pending, &mut verdicts, &[0; 32]);
        let [verdict] = verdicts;
        if pending.is_empty() {
            return verdict;
        }
        Ok(())
    }

    /// Decodes the fields of all bundles; points of all of them together.
    fn decode<'a>(
        &self,
        bundles: &[(&'a Bundle, Hash32)],
        verdicts: &mut [Result<(), SvcError>],
    ) -> Vec<Pending<'a>> {
        let mut encodings = Vec::new();
        for (bundle, _) in bundles {
            encoded_points(bundle, &mut encodings);
        }
        let points = Affine::<Pallas>::decompress_each(&encodings);
        let mut rest = points.as_slice();
        let mut pending = Vec::with_capacity(bundles.len());
        for (place, (bundle, _)) in bundles.iter().enumerate() {
            let (own, others) = rest.split_at(encoded_point_count(bundle));
            rest = others;
            match Statement::decode(bundle, own, &self.values) {
                Ok(statement) => pending.push(Pending {
                    place,
                    bundle,
                    statement,
                    signatures: Vec::new(),
                }),
                Err(error) => verdicts[place] = Err(error),
            }
        }
        let keys: Vec<_> = pending
            .iter()
            .map(|bundle| bundle.statement.binding_key)
            .collect();
        for (bundle, key) in pending.iter_mut().zip(normalize(&keys)) {
            let sighash = &bundles[bundle.place].1;
            bundle.signatures = bundle.statement.signatures(bundle.bundle, sighash, &key);
        }
        pending
    }

    /// Refuses bundles whose proof does not hold and keeps the others.
    fn judge_proofs(
        &self,
        pending: &mut Vec<Pending<'_>>,
        verdicts: &mut [Result<(), SvcError>],
        seed: &[u8; 32],
    ) {
        let proofs: Vec<_> = pending
            .iter()
            .map(|bundle| {
                (
                    bundle.bundle.proof.as_slice(),
                    bundle.statement.instances.as_slice(),
                )
            })
            .collect();
        let terms = self.proofs.terms(&proofs);
        let readable: Vec<&ProofTerms> = terms.iter().flatten().collect();
        let mut weights = Weights::new(seed, readable.iter().map(|terms| &terms.digest));
        let weighted: Vec<_> = readable
            .iter()
            .map(|terms| (*terms, weights.draw()))
            .collect();
        let mut found = bisect(&weighted, &|part| self.proofs.holds(part)).into_iter();
        let mut held = terms
            .iter()
            .map(|terms| terms.is_some() && found.next().unwrap_or(false));
        pending.retain(|bundle| {
            let held = held.next().unwrap_or(false);
            if !held {
                verdicts[bundle.place] = Err(SvcError::new(Code::ShieldedProofInvalid));
            }
            held
        });
    }

    /// Accepts the bundles of which every signature holds and refuses the others.
    fn judge_signatures(
        &self,
        pending: &[Pending<'_>],
        verdicts: &mut [Result<(), SvcError>],
        seed: &[u8; 32],
    ) {
        let digests: Vec<[u8; 32]> = pending
            .iter()
            .flat_map(|bundle| bundle.signatures.iter().flatten())
            .map(SignatureTerms::digest)
            .collect();
        let mut weights = Weights::new(seed, digests.iter());
        type Weighted<'a> = Vec<(&'a SignatureTerms, PallasValue)>;
        let weighted: Vec<Weighted<'_>> = pending
            .iter()
            .map(|bundle| {
                bundle
                    .signatures
                    .iter()
                    .flatten()
                    .map(|terms| (terms, weights.draw()))
                    .collect()
            })
            .collect();
        let holds = |bundles: &[Weighted<'_>]| self.signatures.holds(&bundles.concat());
        for (bundle, held) in pending.iter().zip(bisect(&weighted, &holds)) {
            let complete = bundle.signatures.iter().all(Option::is_some);
            verdicts[bundle.place] = if bundle.signatures.len() != bundle.bundle.actions.len() + 1 {
                Err(no_verdict())
            } else if held && complete {
                Ok(())
            } else {
                self.blame_signature(&bundle.signatures)
            };
        }
    }

    /// The first signature of a bundle that does not hold: the binding one, then those of the spends.
    fn blame_signature(&self, signatures: &[Option<SignatureTerms>]) -> Result<(), SvcError> {
        for (index, terms) in signatures.iter().enumerate() {
            let held = terms
                .as_ref()
                .is_some_and(|terms| self.signatures.holds(&[(terms, PallasValue::ONE)]));
            if !held {
                return Err(match index.checked_sub(1) {
                    None => SvcError::new(Code::ShieldedBindingSignatureInvalid),
                    Some(action) => {
                        SvcError::new(Code::ShieldedSpendSignatureInvalid).with("action", action)
                    }
                });
            }
        }
        Ok(())
    }
}

/// The error in place of a verdict that got lost: a defect of ours must not let anything pass.
pub(crate) fn no_verdict() -> SvcError {
    SvcError::new(Code::InternalUnexpected).with("message", "no verdict")
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_chain::transaction::Transaction;
    use svc_codec::hex;
    use svc_shielded::bundle::BundleFormat;

    fn file(path: &str) -> Vec<u8> {
        std::fs::read(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    #[test]
    fn what_was_not_judged_is_refused() {
        let assets = Assets::decode(&file("assets/action-circuit.bin")).unwrap();
        let verifier = Verifier::new(&assets).unwrap();
        let vectors = file("../tests/vectors/shielded-verification.json");
        let vectors: serde_json::Value = serde_json::from_slice(&vectors).unwrap();
        let stored = &vectors["bundles"][0];
        let raw = hex::decode(stored["transaction"].as_str().unwrap()).unwrap();
        let payload = Transaction::from_bytes(&raw).unwrap().payload;
        let bundle = [BundleFormat::Plain, BundleFormat::NamedAnchor]
            .into_iter()
            .find_map(|format| Bundle::decode(&payload, format).ok())
            .unwrap();

        let mut verdicts = [Err(no_verdict())];
        let mut pending = verifier.decode(&[(&bundle, Hash32([0; 32]))], &mut verdicts);
        assert_eq!(verdicts, [Err(no_verdict())]);
        // An empty list of signatures holds, but it is not that of any bundle.
        let signatures = core::mem::take(&mut pending[0].signatures);
        verifier.judge_signatures(&pending, &mut verdicts, &[0; 32]);
        assert_eq!(verdicts, [Err(no_verdict())]);
        pending[0].signatures = signatures;
        verifier.judge_signatures(&pending, &mut verdicts, &[0; 32]);
        let refused = SvcError::new(Code::ShieldedBindingSignatureInvalid);
        assert_eq!(verdicts, [Err(refused)]);
    }
}
