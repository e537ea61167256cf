//! Makes the cases of `tests/vectors/signer-refusals.json`: prepared payments of a hostile preparer, each with the code of
//! its refusal. `tests/vectors/makeSignerRefusals.ts` runs this, adds the sentences and writes the file.
//!
//! Randomness is seeded, and a check needs no proof, so every run prints the same.

#[path = "../tests/support/mod.rs"]
mod support;

use std::error::Error;

use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use serde_json::{Value, json};
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_prove::payment::Payment;
use svc_prove::plan::read_plan;
use svc_shielded::bundle::{Bundle, proof_len};
use svc_shielded::keys::{address_at, full_viewing_key};
use svc_shielded::signing::disclosed::Disclosed;
use svc_shielded::signing::payment_check::{IntendedPayment, Terms};
use svc_shielded::signing::signer::{Alpha, SigningRequest, check_and_sign};

use support::{Wallet, address, plan, seed, sender_copies};

const NETWORK: &str = "simnet";
const DAA_SCORE: u64 = 50;
const NOTE: u64 = 1_000_000_000;
const AMOUNT: u64 = 500_000_000;
const FEE: u64 = 1_855_400;
/// The wallet, by the byte that its seed repeats.
const OWNER: u8 = 7;
const PAYEE: u8 = 9;
const STRANGER: u8 = 8;
const MEMO: &[u8] = b"order 7";

/// What a device gets: the user's intent, and a payment that somebody prepared.
struct Draft {
    payments: Vec<IntendedPayment>,
    fee: u64,
    max_fee: u64,
    recoverable: Option<bool>,
    claimed_sighash: Option<Hash32>,
    may_lack_proof: bool,
    bundle: Bundle,
    tail: Vec<u8>,
    disclosure: Vec<Disclosed>,
    alphas: Vec<Alpha>,
}

fn output(byte: u8, value: u64, memo: &[u8]) -> IntendedPayment {
    IntendedPayment {
        address: address(byte),
        value,
        memo: memo.to_vec(),
    }
}

/// The payment that the user wants, 5 coins to the payee, prepared with these outputs and this fee.
fn prepared(outputs: &[IntendedPayment], fee: u64) -> Result<Draft, Box<dyn Error>> {
    prepared_from(&plan(&Wallet::new(NETWORK, NOTE), outputs, fee))
}

fn prepared_from(plan: &Value) -> Result<Draft, Box<dyn Error>> {
    let request = read_plan(&plan.to_string())?;
    let mut rng = ChaCha20Rng::from_seed([5; 32]);
    let payment = Payment::prepare(&request, request.build(&mut rng)?, &mut rng)?;
    Ok(Draft {
        payments: vec![output(PAYEE, AMOUNT, MEMO)],
        fee: FEE,
        max_fee: 2 * FEE,
        recoverable: None,
        claimed_sighash: None,
        may_lack_proof: true,
        bundle: payment.bundle().clone(),
        tail: Vec::new(),
        disclosure: payment.disclosure().to_vec(),
        alphas: payment.alphas().to_vec(),
    })
}

fn honest() -> Result<Draft, Box<dyn Error>> {
    prepared(&[output(PAYEE, AMOUNT, MEMO)], FEE)
}

/// The honest payment whose sender can read it back, and wants that.
fn recoverable() -> Result<Draft, Box<dyn Error>> {
    let wallet = Wallet::new(NETWORK, NOTE);
    let mut plan = plan(&wallet, &[output(PAYEE, AMOUNT, MEMO)], FEE);
    plan["recoverable"] = json!(true);
    let mut draft = prepared_from(&plan)?;
    draft.recoverable = Some(true);
    Ok(draft)
}

impl Draft {
    /// The index of the action that pays this wallet; with another one the case would come out otherwise.
    fn paying(&self, byte: u8) -> usize {
        let mut entries = self.disclosure.iter();
        entries
            .position(|entry| entry.out_recipient == address(byte))
            .unwrap_or_default()
    }

    fn bytes(&self) -> Vec<u8> {
        [self.bundle.encode(), self.tail.clone()].concat()
    }

    /// Takes the verdict of the signer, which must be the expected one, and writes the case.
    fn case(&self, name: &str, expected: Option<Code>) -> Result<Value, Box<dyn Error>> {
        let wallet = Wallet::new(NETWORK, NOTE);
        let bundle = self.bytes();
        let request = SigningRequest {
            profile: &wallet.profile,
            daa_score: DAA_SCORE,
            terms: Terms {
                payments: &self.payments,
                fee: self.fee,
                max_fee: Some(self.max_fee),
                recoverable: self.recoverable,
            },
            bundle: &bundle,
            may_lack_proof: self.may_lack_proof,
            disclosure: &self.disclosure,
            alphas: &self.alphas,
            claimed_sighash: self.claimed_sighash,
        };
        let refused = check_and_sign(&seed(OWNER), &request).err();
        let code = refused.as_ref().map(|error| error.code);
        if code != expected {
            return Err(format!("{name}: {refused:?}").into());
        }
        Ok(json!({
            "name": name,
            "code": code.map(|code| code.to_string()),
            "intent": {
                "daaScore": DAA_SCORE.to_string(),
                "payments": self.payments,
                "fee": self.fee.to_string(),
                "maxFee": self.max_fee.to_string(),
                "recoverable": self.recoverable,
                "sighash": self.claimed_sighash,
                "mayLackProof": self.may_lack_proof,
            },
            "bundle": hex::encode(&bundle),
            "disclosure": self.disclosure,
            "alphas": self.alphas,
        }))
    }
}

type Spoil = fn(&mut Draft);

/// Payments whose sender's copies are not as the owner set the history of the wallet.
fn wrong_copies() -> Result<Vec<Value>, Box<dyn Error>> {
    let spoilt = |byte: u8, at: usize| -> Result<Draft, Box<dyn Error>> {
        let mut draft = recoverable()?;
        let index = draft.paying(byte);
        draft.bundle.actions[index].out_ciphertext[at] ^= 1;
        Ok(draft)
    };
    let (mut lacking, mut unasked) = (honest()?, recoverable()?);
    lacking.recoverable = Some(true);
    unasked.recoverable = Some(false);
    // The second outgoing viewing key, which no wallet attaches.
    let mut internal = honest()?;
    sender_copies::seal_internally(&mut internal.bundle, &internal.disclosure, &seed(OWNER))?;
    internal.recoverable = Some(false);
    let lost = Some(Code::SignerOutputUnrecoverable);
    let found = Some(Code::SignerOutputRecoverable);
    Ok(vec![
        spoilt(PAYEE, 79)?.case("a payment its sender cannot read back", lost)?,
        spoilt(OWNER, 0)?.case("change its sender cannot read back", lost)?,
        lacking.case("no sender's copies where they are asked for", lost)?,
        unasked.case("sender's copies that nobody asked for", found)?,
        internal.case("sender's copies for the internal viewing key", found)?,
    ])
}

/// Payments that were prepared otherwise than asked for, and are consistent in themselves.
fn prepared_otherwise() -> Result<Vec<Value>, Box<dyn Error>> {
    let pays = |value, memo| output(PAYEE, value, memo);
    let rest = NOTE - AMOUNT - FEE;
    let to_stranger = vec![output(STRANGER, AMOUNT, MEMO)];
    let twice = vec![pays(AMOUNT, MEMO), pays(rest - 100, MEMO), pays(100, MEMO)];
    let spoken = vec![pays(AMOUNT, MEMO), pays(0, b"and order 8")];
    let taken = vec![pays(AMOUNT, MEMO), output(STRANGER, rest, b"")];
    let plans = [
        ("another recipient", to_stranger, Code::SignerPayeeMissing),
        (
            "another amount",
            vec![pays(AMOUNT + 1, MEMO)],
            Code::SignerAmountDiffers,
        ),
        ("change to a stranger", taken, Code::SignerUnnamedPayee),
        (
            "more payments to the payee",
            twice,
            Code::SignerExtraPayment,
        ),
        (
            "a second memo to the payee",
            spoken,
            Code::SignerExtraPayment,
        ),
        (
            "another memo",
            vec![pays(AMOUNT, b"order 8")],
            Code::SignerMemoDiffers,
        ),
        ("no memo", vec![pays(AMOUNT, b"")], Code::SignerMemoDiffers),
    ];
    plans
        .iter()
        .map(|(name, outputs, code)| prepared(outputs, FEE)?.case(name, Some(*code)))
        .collect()
}

/// Payments that are made as asked for, for another fee than the owner approves.
fn wrong_fees() -> Result<Vec<Value>, Box<dyn Error>> {
    let dear = 2 * FEE + 1;
    let fees = [
        ("another fee", FEE + 1, FEE, Code::SignerFeeDiffers),
        (
            "a fee above the maximum",
            dear,
            dear,
            Code::SignerFeeAboveMaximum,
        ),
        ("no fee", 0, 0, Code::SignerFeeNotPositive),
    ];
    let case = |(name, fee, said, code): &(&str, u64, u64, Code)| {
        let mut draft = prepared(&[output(PAYEE, AMOUNT, MEMO)], *fee)?;
        draft.fee = *said;
        draft.case(name, Some(*code))
    };
    fees.iter().map(case).collect()
}

/// Changes of the honest payment's bundle.
const BUNDLE: &[(&str, Code, Spoil)] = &[
    (
        "a payment the payee cannot read",
        Code::SignerOutputUnreadable,
        |draft| {
            let pays = draft.paying(PAYEE);
            draft.bundle.actions[pays].enc_ciphertext[579] ^= 1;
        },
    ),
    (
        "change the wallet cannot read",
        Code::SignerChangeUnreadable,
        |draft| {
            let change = draft.paying(OWNER);
            draft.bundle.actions[change].enc_ciphertext[0] ^= 1;
        },
    ),
    (
        "another note commitment",
        Code::SignerNoteDiffers,
        |draft| {
            draft.bundle.actions[0].cmx.0[0] ^= 1;
        },
    ),
    (
        "another value commitment",
        Code::SignerValueDiffers,
        |draft| {
            draft.bundle.actions[1].cv_net[0] ^= 1;
        },
    ),
    (
        "another value balance",
        Code::SignerBalanceDiffers,
        |draft| {
            draft.bundle.value_balance += 1;
        },
    ),
    (
        "a randomised key that is none",
        Code::SignerBadRandomizedKey,
        |draft| {
            let spend = draft.alphas[0].index as usize;
            draft.bundle.actions[spend].rk = [0xff; 32];
        },
    ),
    (
        "another randomised key",
        Code::SignerRandomizerMismatch,
        |draft| {
            let spend = draft.alphas[0].index as usize;
            draft.bundle.actions[spend].rk = draft.bundle.actions[1 - spend].rk;
        },
    ),
    (
        "another key than the sighash covers",
        Code::SignerSighashDiffers,
        |draft| {
            claim_sighash(draft);
            let spend = draft.alphas[0].index as usize;
            draft.bundle.actions[1 - spend].rk = draft.bundle.actions[spend].rk;
        },
    ),
    (
        "another anchor than the sighash covers",
        Code::SignerSighashDiffers,
        |draft| {
            claim_sighash(draft);
            draft.bundle.anchor = Hash32([1; 32]);
        },
    ),
    (
        "another anchor block than the sighash covers",
        Code::SignerSighashDiffers,
        |draft| {
            claim_sighash(draft);
            draft.bundle.anchor_block = Some(Hash32([1; 32]));
        },
    ),
    (
        "an anchor that is no root",
        Code::CodecNotCanonical,
        |draft| {
            draft.bundle.anchor = Hash32([0xff; 32]);
        },
    ),
    (
        "no anchor block after the fork",
        Code::TxAnchorBlockMissing,
        |draft| {
            draft.bundle.flags = 3;
            draft.bundle.anchor_block = None;
        },
    ),
    ("a burn", Code::TxBurnDisabled, |draft| {
        draft.bundle.flags |= 4;
    }),
    ("spends not allowed", Code::ShieldedBadFlags, |draft| {
        draft.bundle.flags &= !1;
    }),
    ("no actions", Code::ShieldedNoActions, |draft| {
        draft.bundle.actions.clear();
    }),
    (
        "bytes behind the bundle",
        Code::CodecTrailingBytes,
        |draft| {
            draft.tail = vec![0];
        },
    ),
    (
        "a proof of another length",
        Code::ShieldedBadProofLength,
        |draft| {
            draft.bundle.proof = vec![0; proof_len(1)];
        },
    ),
    (
        "no proof where one is asked for",
        Code::ShieldedBadProofLength,
        |draft| {
            draft.may_lack_proof = false;
        },
    ),
    ("a signature already", Code::SignerNotUnsigned, |draft| {
        draft.bundle.actions[0].signature[0] = 1;
    }),
];

/// Changes of what comes with the honest payment's bundle.
const BESIDE: &[(&str, Code, Spoil)] = &[
    (
        "another randomizer",
        Code::SignerRandomizerMismatch,
        |draft| {
            draft.alphas[0].alpha[0] ^= 1;
        },
    ),
    (
        "a randomizer that is no scalar",
        Code::SignerBadRandomizer,
        |draft| {
            draft.alphas[0].alpha = [0xff; 32];
        },
    ),
    (
        "no randomizer for a spend",
        Code::SignerMissingRandomizer,
        |draft| {
            draft.alphas.clear();
        },
    ),
    (
        "two randomizers for a spend",
        Code::SignerDuplicateAction,
        |draft| {
            draft.alphas.push(draft.alphas[0].clone());
        },
    ),
    (
        "a randomizer for no action",
        Code::SignerUnknownAction,
        |draft| {
            draft.alphas[0].index = 2;
        },
    ),
    ("too few disclosures", Code::SignerActionCount, |draft| {
        draft.disclosure.truncate(1);
    }),
    (
        "a disclosure that is not well formed",
        Code::SignerBadDisclosure,
        |draft| {
            draft.disclosure[0].out_recipient = [0; 43];
        },
    ),
    ("another note disclosed", Code::SignerNoteDiffers, |draft| {
        draft.disclosure[0].out_rseed[0] ^= 1;
    }),
    (
        "another spent value disclosed",
        Code::SignerValueDiffers,
        |draft| {
            draft.disclosure[0].spend_value += 1;
        },
    ),
    (
        "another sighash claimed",
        Code::SignerSighashDiffers,
        |draft| {
            draft.claimed_sighash = Some(Hash32([1; 32]));
        },
    ),
];

fn claim_sighash(draft: &mut Draft) {
    let wallet = Wallet::new(NETWORK, NOTE);
    draft.claimed_sighash = Some(wallet.sighash(&draft.bundle));
}

/// Payments that must be signed, so that no check refuses too much.
fn taken() -> Result<Vec<Value>, Box<dyn Error>> {
    let mut claimed = honest()?;
    claim_sighash(&mut claimed);
    let mut proved = honest()?;
    // Nothing that a device could check depends on the proof.
    proved.bundle.proof = vec![0xab; proof_len(2)];
    let announced = [output(PAYEE, 0, b"announcement")];
    let mut announcement = prepared(&announced, FEE)?;
    announcement.payments = announced.to_vec();
    let fvk = full_viewing_key(&seed(OWNER))?;
    let diversified = IntendedPayment {
        address: address_at(&fvk, 3)?,
        value: NOTE - AMOUNT - FEE,
        memo: Vec::new(),
    };
    let mut silent = honest()?;
    silent.recoverable = Some(false);
    let to_self = [output(OWNER, AMOUNT, MEMO)];
    let mut own = prepared(&to_self, FEE)?;
    own.payments = to_self.to_vec();
    [
        ("the payment as asked for", claimed),
        ("with its proof", proved),
        ("an announcement of value 0", announcement),
        (
            "change to another own address",
            prepared(&[output(PAYEE, AMOUNT, MEMO), diversified], FEE)?,
        ),
        ("a payment to oneself", own),
        ("a payment its sender can read back", recoverable()?),
        ("a payment its sender shall not read back", silent),
    ]
    .iter()
    .map(|(name, draft)| draft.case(name, None))
    .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut refused = prepared_otherwise()?;
    refused.extend(wrong_fees()?);
    refused.extend(wrong_copies()?);
    for (name, code, spoil) in BUNDLE.iter().chain(BESIDE) {
        let mut draft = honest()?;
        spoil(&mut draft);
        refused.push(draft.case(name, Some(*code))?);
    }
    let wallet = Wallet::new(NETWORK, NOTE);
    let vector = json!({
        "profile": NETWORK,
        "genesis": wallet.profile.genesis.hash,
        "seed": hex::encode(&[OWNER; 32]),
        "taken": taken()?,
        "refused": refused,
    });
    println!("{vector:#}");
    Ok(())
}
