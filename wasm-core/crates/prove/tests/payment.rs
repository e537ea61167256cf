//! A payment from plan to block: proved, checked, signed, verified, found by its receiver; and every way in
//! which prover and signer must not trust each other (specification shielded 18 and 25.13).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_prove::payment::Payment;
use svc_prove::plan::read_plan;
use svc_prove::progress::Stage;
use svc_prove::prover::Prover;
use svc_shielded::bundle::{Bundle, BundleFormat, wire_len};
use svc_shielded::sighash::{sighash, tx_context};
use svc_shielded::signing::disclosed::Disclosed;
use svc_shielded::signing::payment_check::Terms;
use svc_shielded::signing::signer::{Alpha, SigningRequest, SpendSignature, check_and_sign};

use crate::support::{self, Wallet, intended, plan, seed};

static PROVER: LazyLock<Prover> = LazyLock::new(Prover::new);

/// A wallet with one note, and its proved payment of 600 with a memo, on a network with the security fork.
struct Prepared {
    wallet: Wallet,
    bundle: Vec<u8>,
    payment: std::sync::Mutex<Payment>,
    reports: Vec<(Stage, f64)>,
}

static PREPARED: LazyLock<Prepared> = LazyLock::new(|| {
    let wallet = Wallet::new("simnet", 100_000);
    let mut reports = Vec::new();
    let request =
        read_plan(&plan(&wallet, &[intended(600, b"for you")], 1_000).to_string()).unwrap();
    let payment = PROVER
        .prove(&request, &mut |stage, done| reports.push((stage, done)))
        .unwrap();
    Prepared {
        wallet,
        bundle: payment.bundle().encode(),
        payment: payment.into(),
        reports,
    }
});

/// Asks the signer, after `change` has spoilt the request.
fn sign(change: impl FnOnce(&mut Asked)) -> Result<Vec<SpendSignature>, SvcError> {
    let mut asked = {
        let payment = PREPARED.payment.lock().unwrap();
        Asked {
            seed: 7,
            daa_score: 50,
            payments: vec![intended(600, b"for you")],
            fee: 1_000,
            bundle: PREPARED.bundle.clone(),
            disclosure: payment.disclosure().to_vec(),
            alphas: payment.alphas().to_vec(),
        }
    };
    change(&mut asked);
    let request = SigningRequest {
        profile: &PREPARED.wallet.profile,
        daa_score: asked.daa_score,
        terms: Terms {
            payments: &asked.payments,
            fee: asked.fee,
            max_fee: None,
            recoverable: Some(false),
        },
        bundle: &asked.bundle,
        may_lack_proof: false,
        disclosure: &asked.disclosure,
        alphas: &asked.alphas,
        claimed_sighash: None,
    };
    check_and_sign(&seed(asked.seed), &request)
}

struct Asked {
    seed: u8,
    daa_score: u64,
    payments: Vec<svc_shielded::signing::payment_check::IntendedPayment>,
    fee: u64,
    bundle: Vec<u8>,
    disclosure: Vec<Disclosed>,
    alphas: Vec<Alpha>,
}

fn refusal(change: impl FnOnce(&mut Asked)) -> Code {
    sign(change).unwrap_err().code
}

/// Signs, finalizes and verifies as a node would.
fn complete(signatures: &[SpendSignature]) -> Result<Transaction, SvcError> {
    PREPARED.payment.lock().unwrap().finalize(signatures)
}

#[test]
fn a_payment_is_valid_and_reaches_its_receiver() {
    let transaction = complete(&sign(|_| {}).unwrap()).unwrap();
    let raw = transaction.to_bytes();
    assert_eq!(Transaction::from_bytes(&raw).unwrap(), transaction);
    assert_eq!((transaction.version, transaction.storage_mass), (2, 0));
    assert_eq!(
        transaction.payload.len(),
        wire_len(2, BundleFormat::NamedAnchor)
    );
    let bundle = Bundle::decode(&transaction.payload, BundleFormat::NamedAnchor).unwrap();
    assert_eq!((bundle.flags, bundle.fee().unwrap()), (11, 1_000));
    assert_eq!(bundle.anchor_block, Some(PREPARED.wallet.anchor_block));
    let profile = &PREPARED.wallet.profile;
    let digest = sighash(
        profile.personalisation.sighash.as_bytes(),
        &profile.genesis.hash,
        &bundle,
        &tx_context(&transaction),
    );
    PROVER.verifier().unwrap().verify(&bundle, &digest).unwrap();
    let received = support::received(profile, 9, &bundle);
    assert_eq!(received, [(600, b"for you".to_vec())]);
    assert_eq!(
        support::received(profile, 7, &bundle),
        [(98_400, Vec::new())]
    );
    assert!(support::received(profile, 8, &bundle).is_empty());
}

#[test]
fn progress_is_told_in_order_and_never_falls() {
    let reports = &PREPARED.reports;
    assert_eq!(
        reports[..3],
        [
            (Stage::Building, 0.0),
            (Stage::Building, 1.0),
            (Stage::Proving, 0.0)
        ]
    );
    assert_eq!(reports.last(), Some(&(Stage::Proving, 1.0)));
    let proving: Vec<f64> = reports[2..].iter().map(|(_, done)| *done).collect();
    assert!(
        proving.windows(2).all(|pair| pair[0] <= pair[1]),
        "{proving:?}"
    );
    assert!(
        (10..=102).contains(&proving.len()),
        "{} reports",
        proving.len()
    );
}

#[test]
fn a_plain_payment_before_the_security_fork_is_valid() {
    let wallet = Wallet::new("mainnet", 10_000);
    let outputs = [
        intended(100, b""),
        intended(200, b"two"),
        intended(8_000, b""),
    ];
    let request = read_plan(&plan(&wallet, &outputs, 1_700).to_string()).unwrap();
    let mut payment = PROVER.prove(&request, &mut |_, _| {}).unwrap();
    let (bundle, disclosure) = (payment.bundle().encode(), payment.disclosure().to_vec());
    let request = SigningRequest {
        profile: &wallet.profile,
        daa_score: 50,
        terms: Terms {
            payments: &outputs,
            fee: 1_700,
            max_fee: None,
            recoverable: Some(false),
        },
        bundle: &bundle,
        may_lack_proof: false,
        disclosure: &disclosure,
        alphas: payment.alphas(),
        claimed_sighash: None,
    };
    let signatures = check_and_sign(&seed(7), &request).unwrap();
    let transaction = payment.finalize(&signatures).unwrap();
    let bundle = Bundle::decode(&transaction.payload, BundleFormat::Plain).unwrap();
    // Inputs equal outputs and fee: no change output is added, and the padding is only up to the outputs.
    assert_eq!((bundle.flags, bundle.actions.len()), (3, 3));
    PROVER
        .verifier()
        .unwrap()
        .verify(&bundle, &payment.sighash())
        .unwrap();
}

#[test]
fn the_signer_compares_every_part_of_the_intent() {
    assert_eq!(
        refusal(|asked| asked.payments[0].value = 601),
        Code::SignerAmountDiffers
    );
    let memo = |memo: &[u8]| refusal(|asked| asked.payments[0].memo = memo.to_vec());
    assert_eq!(memo(b"for him"), Code::SignerMemoDiffers);
    assert_eq!(memo(b""), Code::SignerMemoDiffers);
    assert_eq!(
        refusal(|asked| asked.payments[0].address = support::address(8)),
        Code::SignerPayeeMissing
    );
    assert_eq!(
        refusal(|asked| asked.payments.clear()),
        Code::SignerUnnamedPayee
    );
    assert_eq!(
        refusal(|asked| asked.payments.push(intended(600, b"for you"))),
        Code::SignerPayeeMissing
    );
    assert_eq!(refusal(|asked| asked.fee = 999), Code::SignerFeeDiffers);
    assert_eq!(refusal(|asked| asked.fee = 1_001), Code::SignerFeeDiffers);
    // To another wallet the change is a payment to a stranger.
    assert_eq!(refusal(|asked| asked.seed = 8), Code::SignerUnnamedPayee);
}

#[test]
fn the_signer_opens_every_commitment() {
    for index in [0, 1] {
        let entry =
            |spoil: fn(&mut Disclosed)| refusal(|asked| spoil(&mut asked.disclosure[index]));
        assert_eq!(
            entry(|entry| entry.spend_value += 1),
            Code::SignerValueDiffers
        );
        assert_eq!(entry(|entry| entry.rcv[0] ^= 1), Code::SignerValueDiffers);
        for spoil in [
            (|entry| entry.out_value += 1) as fn(&mut Disclosed),
            |entry| entry.out_recipient = support::address(8),
            |entry| entry.out_rseed[0] ^= 1,
        ] {
            assert_eq!(entry(spoil), Code::SignerNoteDiffers);
        }
        for spoil in [
            (|entry| entry.out_recipient = [0; 43]) as fn(&mut Disclosed),
            |entry| entry.rcv = [0xff; 32],
        ] {
            assert_eq!(entry(spoil), Code::SignerBadDisclosure);
        }
    }
    assert_eq!(
        refusal(|asked| asked.disclosure.truncate(1)),
        Code::SignerActionCount
    );
    assert_eq!(
        refusal(|asked| asked.disclosure.swap(0, 1)),
        Code::SignerNoteDiffers
    );
}

#[test]
fn the_signer_reads_the_bundle_strictly() {
    let byte = |position: usize, value: u8| refusal(|asked| asked.bundle[position] = value);
    assert_eq!(byte(0, 10), Code::ShieldedBadFlags);
    assert_eq!(byte(0, 3), Code::TxAnchorBlockMissing);
    assert_eq!(byte(0, 15), Code::TxBurnDisabled);
    assert_eq!(
        refusal(|asked| asked.bundle.push(0)),
        Code::CodecTrailingBytes
    );
    let flip = |position: usize| refusal(|asked| asked.bundle[position] ^= 1);
    assert_eq!(flip(8), Code::SignerBalanceDiffers);
    for (field, code) in [
        (0, Code::SignerNoteDiffers),
        (64, Code::SignerNoteDiffers),
        (96, Code::SignerValueDiffers),
        (883, Code::SignerNotUnsigned),
    ] {
        assert_eq!(flip(113 + field), code, "byte {field}");
    }
}

/// A receiver who cannot decrypt, or who reads another memo, has not been paid as intended; change that the
/// wallet cannot decrypt is lost.
#[test]
fn the_signer_checks_the_ciphertexts() {
    let pays = PREPARED
        .payment
        .lock()
        .unwrap()
        .disclosure()
        .iter()
        .position(|entry| entry.out_value == 600)
        .unwrap();
    for (action, code) in [
        (pays, Code::SignerOutputUnreadable),
        (1 - pays, Code::SignerChangeUnreadable),
    ] {
        for field in [128, 160, 160 + 300, 160 + 579] {
            let position = 113 + 884 * action + field;
            assert_eq!(
                refusal(|asked| asked.bundle[position] ^= 1),
                code,
                "byte {field}"
            );
        }
    }
}

#[test]
fn randomizers_must_fit_the_actions() {
    assert_eq!(
        refusal(|asked| asked.alphas.clear()),
        Code::SignerMissingRandomizer
    );
    assert_eq!(
        refusal(|asked| asked.alphas[0].alpha[0] ^= 1),
        Code::SignerRandomizerMismatch
    );
    assert_eq!(
        refusal(|asked| asked.alphas[0].alpha = [0xff; 32]),
        Code::SignerBadRandomizer
    );
    assert_eq!(
        refusal(|asked| asked.alphas.push(asked.alphas[0].clone())),
        Code::SignerDuplicateAction
    );
    let more = |index| {
        refusal(|asked| {
            asked.alphas.push(Alpha {
                index,
                alpha: [1; 32],
            });
        })
    };
    assert_eq!(more(2), Code::SignerUnknownAction);
    let dummy = 1 - PREPARED.payment.lock().unwrap().alphas()[0].index;
    assert_eq!(more(dummy), Code::SignerRandomizerMismatch);
}

#[test]
fn finalize_checks_each_signature() {
    assert_eq!(complete(&[]).unwrap_err().code, Code::ProveMissingSignature);
    let mut signatures = sign(|_| {}).unwrap();
    signatures[0].sig[40] ^= 1;
    assert_eq!(
        complete(&signatures).unwrap_err().code,
        Code::ShieldedSpendSignatureInvalid
    );
    signatures[0].index += 2;
    assert_eq!(
        complete(&signatures).unwrap_err().code,
        Code::ProveMissingSignature
    );
}

/// A signature for another network is worthless: its genesis is in the sighash.
#[test]
fn signatures_are_bound_to_the_network() {
    let (other, payment) = (
        Wallet::new("devnet", 1).profile,
        PREPARED.payment.lock().unwrap(),
    );
    let request = SigningRequest {
        profile: &other,
        daa_score: 1_500,
        terms: Terms {
            payments: &[intended(600, b"for you")],
            fee: 1_000,
            max_fee: None,
            recoverable: Some(false),
        },
        bundle: &PREPARED.bundle,
        may_lack_proof: false,
        disclosure: payment.disclosure(),
        alphas: payment.alphas(),
        claimed_sighash: None,
    };
    let signatures = check_and_sign(&seed(7), &request).unwrap();
    drop(payment);
    assert_eq!(
        complete(&signatures).unwrap_err().code,
        Code::ShieldedSpendSignatureInvalid
    );
}

#[test]
fn plans_are_checked_before_anything_is_proved() {
    let wallet = Wallet::new("simnet", 100_000);
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = plan(&wallet, &[intended(600, b"")], 1_000);
        change(&mut json);
        let request = read_plan(&json.to_string());
        request
            .and_then(|request| PROVER.prove(&request, &mut |_, _| {}))
            .unwrap_err()
            .code
    };
    assert_eq!(
        refused(&|json| json["fee"] = "99401".into()),
        Code::ProveUnbalanced
    );
    assert_eq!(
        refused(&|json| json["fee"] = 1_000.into()),
        Code::ProveBadPlan
    );
    assert_eq!(
        refused(&|json| json["fee"] = "01000".into()),
        Code::ProveBadPlan
    );
    assert_eq!(refused(&|json| json["more"] = 1.into()), Code::ProveBadPlan);
    assert_eq!(
        refused(&|json| json["anchorBlock"] = serde_json::Value::Null),
        Code::ProveBadPlan
    );
    assert_eq!(
        refused(&|json| json["anchor"] = Hash32([1; 32]).to_string().into()),
        Code::ShieldedBadWitness
    );
    assert_eq!(
        refused(&|json| json["spends"][0]["position"] = "1".into()),
        Code::ShieldedBadWitness
    );
    assert_eq!(
        refused(&|json| json["spends"][0]["position"] = "4294967296".into()),
        Code::ProveBadPlan
    );
    assert_eq!(
        refused(&|json| json["spends"][0]["value"] = "100001".into()),
        Code::ShieldedBadWitness
    );
    let stranger = hex::encode(&support::address(9));
    assert_eq!(
        refused(&|json| json["spends"][0]["recipient"] = stranger.clone().into()),
        Code::ProveBadPlan
    );
    let long = hex::encode(&[1; 513]);
    assert_eq!(
        refused(&|json| json["outputs"][0]["memo"] = long.clone().into()),
        Code::WalletMemoTooLong
    );
    let many = |json: &mut serde_json::Value| {
        json["outputs"] = vec![serde_json::to_value(intended(1, b"")).unwrap(); 38].into();
    };
    assert_eq!(refused(&many), Code::ProveBadPlan);
    assert_eq!(read_plan("{").unwrap_err().code, Code::ProveBadPlan);
}
