//! Assembles the assets of upstream's circuit.

use ff::{Field, PrimeField};
use halo2_proofs::plonk::VerifyingKey;
use halo2_proofs::poly::commitment::Params;
use halo2_proofs::transcript::{Challenge255, EncodedChallenge, Transcript};
use pasta_curves::{Fp, vesta};
use svc_circuit::assets::Assets;
use svc_kernels::curve::{Affine, Vesta};
use svc_kernels::fft::column::Rows;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::{Modulus, PallasBase};

use crate::assembly::Layout;
use crate::compile::compile;
use crate::gen_error::GenError;
use crate::pinned::Pinned;
use crate::upstream::Upstream;

/// Collects everything.
///
/// # Errors
/// When upstream's circuit is not the one we know.
pub fn make_assets(upstream: &Upstream) -> Result<Assets, GenError> {
    let pinned = Pinned::parse(&upstream.pinned_text())?;
    let layout = Layout::of(&upstream.circuit, &upstream.key)?;
    let fixed: Result<Vec<_>, _> = layout.fixed.iter().map(|column| rows(column)).collect();
    let mut bases = bases(&upstream.params)?;
    let u = bases.pop().ok_or_else(|| GenError::new("no base u"))?;
    let w = bases.pop().ok_or_else(|| GenError::new("no base w"))?;
    let g_lagrange = bases.split_off(bases.len() / 2);
    Ok(Assets {
        digest: digest(&upstream.key)?,
        fixed_commitments: points(&pinned.fixed_commitments)?,
        permutation_commitments: points(&pinned.permutation_commitments)?,
        fixed: fixed?,
        mapping: layout.mapping,
        regions: layout.regions,
        program: compile(&pinned.constraints)?,
        constraints: pinned.constraints,
        g: bases,
        g_lagrange,
        w,
        u,
    })
}

fn rows(column: &[Fp]) -> Result<Rows<PallasBase>, GenError> {
    let values: Result<Vec<_>, _> = column.iter().map(|value| single(value.to_repr())).collect();
    Ok(Rows::from_values(&values?))
}

fn single<M: Modulus>(bytes: [u8; 32]) -> Result<Single<M>, GenError> {
    Single::from_bytes(&bytes).ok_or_else(|| GenError::new("a number beyond the modulus"))
}

fn points(coordinates: &[[[u8; 32]; 2]]) -> Result<Vec<Affine<Vesta>>, GenError> {
    coordinates
        .iter()
        .map(|[x, y]| {
            Ok(Affine {
                x: single(*x)?,
                y: single(*y)?,
            })
        })
        .collect()
}

/// g, then the bases of values on rows, then w and u: upstream gives them away only as bytes, which begin with a
/// number of four bytes.
fn bases(params: &Params<vesta::Affine>) -> Result<Vec<Affine<Vesta>>, GenError> {
    let mut bytes = Vec::new();
    params.write(&mut bytes).map_err(GenError::new)?;
    let (encodings, _) = bytes[4..].as_chunks::<32>();
    let point =
        |bytes| Affine::from_bytes(bytes).ok_or_else(|| GenError::new("a base off the curve"));
    encodings.iter().map(point).collect()
}

/// A transcript that only remembers the last scalar it was told.
struct Listener(Fp);

impl Transcript<vesta::Affine, Challenge255<vesta::Affine>> for Listener {
    fn squeeze_challenge(&mut self) -> Challenge255<vesta::Affine> {
        Challenge255::new(&[0; 64])
    }

    fn common_point(&mut self, _: vesta::Affine) -> std::io::Result<()> {
        Ok(())
    }

    fn common_scalar(&mut self, scalar: Fp) -> std::io::Result<()> {
        self.0 = scalar;
        Ok(())
    }
}

/// What stands for the key in transcripts.
fn digest(key: &VerifyingKey<vesta::Affine>) -> Result<Single<PallasBase>, GenError> {
    let mut listener = Listener(Fp::ZERO);
    key.hash_into(&mut listener).map_err(GenError::new)?;
    single(listener.0.to_repr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use group::{Curve, GroupEncoding};
    use halo2_proofs::poly::commitment::Blind;
    use orchard::circuit::OrchardCircuitVersion;
    use svc_circuit::assets::pin_of;
    use svc_circuit::pin::PIN;
    use svc_circuit::shape;
    use svc_kernels::fft::Domain;

    fn file() -> std::path::PathBuf {
        crate::places::assets_file()
    }

    fn upstream_value(value: &Single<PallasBase>) -> Fp {
        Fp::from_repr(value.to_bytes()).unwrap()
    }

    fn commitment(upstream: &Upstream, column: &Rows<PallasBase>) -> [u8; 32] {
        let values = (0..shape::ROWS)
            .map(|row| upstream_value(&column.get(row)))
            .collect();
        let values = upstream.key.get_domain().lagrange_from_vec(values);
        upstream
            .params
            .commit_lagrange(&values, Blind::default())
            .to_affine()
            .to_bytes()
    }

    /// The digest as upstream defines it, from the text.
    fn digest_of_text(text: &str) -> [u8; 32] {
        let mut hasher = blake2b_simd::Params::new();
        let mut state = hasher
            .hash_length(64)
            .personal(b"Halo2-Verify-Key")
            .to_state();
        state
            .update(&(text.len() as u64).to_le_bytes())
            .update(text.as_bytes());
        svc_circuit::transcript::from_wide_bytes(state.finalize().as_array()).to_bytes()
    }

    #[test]
    fn the_file_is_what_upstream_gives_and_its_keys_belong_to_its_columns() {
        let upstream = Upstream::build().unwrap();
        let pinned = Pinned::parse(&upstream.pinned_text()).unwrap();
        assert_eq!(pinned.log_rows, shape::LOG_ROWS);
        assert_eq!(
            pinned.columns,
            [shape::FIXED_COLUMNS, shape::ADVICE_COLUMNS, 1]
        );
        assert_eq!(pinned.advice_queries, shape::ADVICE_QUERIES);
        let fixed_queries: Vec<_> = pinned
            .fixed_queries
            .iter()
            .map(|query| (query.column, query.rotation))
            .collect();
        assert_eq!(
            fixed_queries,
            shape::FIXED_QUERIES.map(|column| (column, 0))
        );
        assert_eq!(
            pinned.instance_queries,
            [shape::Query {
                column: 0,
                rotation: 0
            }]
        );
        assert_eq!(pinned.permutation, shape::PERMUTATION);
        let degree = pinned
            .constraints
            .gates
            .iter()
            .map(|gate| gate.degree())
            .max();
        assert_eq!(degree, Some(shape::DEGREE));

        let assets = make_assets(&upstream).unwrap();
        let bytes = assets.encode();
        assert!(pin_of(&bytes) == PIN, "run `npm run generate:circuit`");
        assert!(
            std::fs::read(file()).unwrap() == bytes,
            "run `npm run generate:circuit`"
        );

        assert_eq!(
            assets.digest.to_bytes(),
            digest_of_text(&upstream.pinned_text())
        );
        for (column, expected) in assets.fixed.iter().zip(&assets.fixed_commitments) {
            assert_eq!(commitment(&upstream, column), expected.to_bytes());
        }
        let permutation = assets.mapping.values(&Domain::new().omega());
        assert_eq!(permutation.len(), assets.permutation_commitments.len());
        for (column, expected) in permutation.iter().zip(&assets.permutation_commitments) {
            assert_eq!(commitment(&upstream, column), expected.to_bytes());
        }
        let g: Vec<_> = upstream
            .params
            .get_g()
            .iter()
            .map(GroupEncoding::to_bytes)
            .collect();
        let ours: Vec<_> = assets.g.iter().map(Affine::to_bytes).collect();
        assert!(g == ours);
    }

    /// Upstream repaired its circuit in 2026. The fingerprint of our verifying key is that of the repaired version, differs
    /// from that of the version before, and is the one that SECURITY.md names.
    #[test]
    fn the_pinned_key_is_that_of_the_repaired_circuit() {
        let fingerprint = |version| {
            let upstream = Upstream::build_version(version).unwrap();
            hex(&digest_of_text(&upstream.pinned_text()))
        };
        let repaired = fingerprint(OrchardCircuitVersion::FixedPostNu6_2);
        assert_ne!(
            fingerprint(OrchardCircuitVersion::InsecurePreNu6_2),
            repaired
        );
        let pinned = Assets::decode(&std::fs::read(file()).unwrap()).unwrap();
        assert_eq!(hex(&pinned.digest.to_bytes()), repaired);
        // What builds without a circuit show people.
        assert_eq!(
            svc_consensus::checks::verifying_key::VERIFYING_KEY_FINGERPRINT,
            repaired
        );
        let text = include_str!("../../../../SECURITY.md");
        assert!(
            text.contains(&repaired),
            "SECURITY.md does not name {repaired}"
        );
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
