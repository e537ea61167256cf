//! JavaScript binding of receipts (docs/light-client.md): who was paid how much by which block.

use serde::Deserialize;
use serde_json::{Value, json};
use svc_chain::transaction::Transaction;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_evidence::membership::Membership;
use svc_evidence::note::NoteOpening;
use svc_evidence::opening::Opening;
use svc_evidence::proved_receipt::{Grade, ProvedReceipt};
use svc_evidence::receipt::{Challenge, Disclosure, Receipt};
use svc_evidence::run::Run;
use svc_shielded::json::{decimal, hex_array, hex_bytes};
use svc_shielded::keys::FVK_LEN;
use svc_shielded::note::NoteParts;
use svc_shielded::signing::challenge_answer::{ANSWER_LEN, answer};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::evidence::{EvidenceJudge, ProvedTip};
use crate::thrown::{exact, json_text, thrown};
use crate::wallet::parse;

/// What makes a note, and its place.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NoteJson {
    #[serde(with = "hex_array")]
    recipient: [u8; 43],
    #[serde(with = "decimal")]
    value: u64,
    rho: Hash32,
    #[serde(with = "hex_array")]
    rseed: [u8; 32],
    position: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SpentJson {
    #[serde(with = "decimal")]
    value: u64,
    #[serde(with = "hex_array")]
    rcv: [u8; 32],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DisclosureJson {
    #[serde(with = "hex_bytes")]
    transaction: Vec<u8>,
    index: u32,
    #[serde(default)]
    spent: Option<SpentJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ChallengeJson {
    text: String,
    #[serde(default)]
    answer: Option<AnswerJson>,
}

#[derive(Deserialize)]
#[serde(transparent)]
struct AnswerJson(#[serde(with = "hex_array")] [u8; ANSWER_LEN]);

/// What a receipt holds beside its pieces of evidence.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReceiptJson {
    note: NoteJson,
    #[serde(default)]
    disclosure: Option<DisclosureJson>,
    #[serde(default)]
    challenge: Option<ChallengeJson>,
}

/// The pieces of evidence of a receipt, as they are told.
struct Pieces<'a> {
    path: &'a [u8],
    opening: &'a [u8],
    membership: Option<&'a [u8]>,
    run: Option<&'a [u8]>,
}

impl NoteJson {
    fn opening(&self, path: Vec<Hash32>) -> NoteOpening {
        NoteOpening {
            parts: NoteParts {
                recipient: self.recipient,
                value: self.value,
                rho: self.rho,
                rseed: self.rseed,
            },
            position: self.position,
            path,
        }
    }
}

#[wasm_bindgen]
impl EvidenceJudge {
    /// Checks a receipt by the work of its own header, and tells it as ReceiptFacts: JSON `{grade, recipient, value, position, block,
    /// blueScore, time, depth, header, bits, headerTime, work, blocks, challenge, disclosure}`. `grade` is `work`; `depth` counts the
    /// chain blocks from the block up to the header; `work` is hexadecimal; `blocks` is the work in blocks of the difficulty `bits`, null where that is left out: the difficulty that a header
    /// claims says nothing of the network's. `challenge` is the text that the asker gave, which the receipt must have then. Throws `evidence/*`, `header/*`, `coinbase/*`, `shielded/*`,
    /// `signer/*`, `tx/*`, `keys/bad-signature`, `codec/*`.
    pub fn receipt(
        &self,
        bytes: &[u8],
        challenge: Option<String>,
        bits: Option<u32>,
    ) -> Result<String, JsError> {
        let proved = self.judge().receipt(bytes, challenge.as_deref());
        json_text(&receipt_facts(&proved.map_err(thrown)?, bits))
    }

    /// Checks a receipt whose header is shown to stand on the chain of a tip, by the path of that header. Tells it as `receipt`
    /// does; `grade` is `chain`, and `work` is that above the tip. Throws as `receipt` does.
    #[wasm_bindgen(js_name = receiptInChain)]
    pub fn receipt_in_chain(
        &self,
        bytes: &[u8],
        tip: &ProvedTip,
        membership: &[u8],
        challenge: Option<String>,
        bits: Option<u32>,
    ) -> Result<String, JsError> {
        let judge = self.judge();
        let proved = judge.receipt_in_chain(bytes, challenge.as_deref(), &tip.0, membership);
        json_text(&receipt_facts(&proved.map_err(thrown)?, bits))
    }

    /// The header of a run on which a receipt about the run's base, or about a block below it, stands best: JSON `{header, below}`,
    /// `below` being the selected parent of the header, whose state is to be opened. `null` where nothing stands above the base.
    /// Throws `evidence/*`, `header/*`, `codec/*`.
    #[wasm_bindgen(js_name = hardestHeader)]
    pub fn hardest_header(&self, run: &[u8]) -> Result<String, JsError> {
        let hardest = self.judge().hardest_header(run).map_err(thrown)?;
        json_text(&hardest.map(|found| json!({ "header": found.hash, "below": found.below })))
    }

    /// Makes a receipt and checks it. `parts` is JSON `{note: {recipient, value, rho, rseed, position}, disclosure: {transaction,
    /// index, spent: {value, rcv}}, challenge: {text, answer}}`; disclosure, spent, challenge and answer may be left out. `path`
    /// holds the 32 siblings of the note in the tree after a block. `opening` is that of a state, `membership` the path of the
    /// block in the state's log, left out where the state is the block's. `run` is one whose base is the block, for its time; it may
    /// be left out. Throws as `receipt` does.
    #[wasm_bindgen(js_name = makeReceipt)]
    pub fn make_receipt(
        &self,
        parts: &str,
        path: &[u8],
        opening: &[u8],
        membership: Option<Vec<u8>>,
        run: Option<Vec<u8>>,
    ) -> Result<Vec<u8>, JsError> {
        let parts: ReceiptJson = parse("parts", parts)?;
        let pieces = Pieces {
            path,
            opening,
            membership: membership.as_deref(),
            run: run.as_deref(),
        };
        let receipt = self.receipt_of(parts, &pieces).map_err(thrown)?;
        let bytes = receipt.encode().map_err(thrown)?;
        self.judge().receipt(&bytes, None).map_err(thrown)?;
        Ok(bytes)
    }

    /// The answer of a payee to a challenge, 64 bytes. `note` is as in `makeReceipt`. Throws `keys/*`, `address/bad-key`,
    /// `codec/*`.
    #[wasm_bindgen(js_name = answerChallenge)]
    pub fn answer_challenge(
        &self,
        viewing_key: &[u8],
        note: &str,
        text: &str,
    ) -> Result<Vec<u8>, JsError> {
        let viewing_key: [u8; FVK_LEN] = exact(viewing_key).map_err(thrown)?;
        let note: NoteJson = parse("note", note)?;
        let told = note.opening(Vec::new());
        let digest = Receipt::answer_digest(self.genesis(), &told, text);
        let answer = answer(&viewing_key, &note.recipient, &digest);
        Ok(answer.map_err(thrown)?.to_vec())
    }
}

impl EvidenceJudge {
    fn receipt_of(&self, parts: ReceiptJson, pieces: &Pieces<'_>) -> Result<Receipt, SvcError> {
        let (header, mut opening) = Opening::decode(pieces.opening)?;
        opening.nullifiers = opening.nullifiers.as_digest();
        let run = pieces.run.map(Run::decode).transpose()?;
        let disclosure = parts.disclosure.map(read_disclosure).transpose()?;
        Ok(Receipt {
            network: *self.genesis(),
            note: parts.note.opening(siblings(pieces.path)?),
            opening: (header, opening),
            membership: pieces.membership.map(Membership::decode).transpose()?,
            block: run.map(|run| run.base.0),
            disclosure,
            challenge: parts.challenge.map(|told| Challenge {
                text: told.text,
                answer: told.answer.map(|AnswerJson(bytes)| bytes),
            }),
        })
    }
}

/// The header that a receipt stands on, by its own word: the block whose membership anchors it. Throws `codec/*`,
/// `header/bad-parents`, `shielded/bad-anchor-log`.
#[wasm_bindgen(js_name = receiptHeader)]
pub fn receipt_header(bytes: &[u8]) -> Result<String, JsError> {
    let receipt = Receipt::decode(bytes).map_err(thrown)?;
    Ok(receipt.opening.0.0.hash().to_string())
}

fn siblings(path: &[u8]) -> Result<Vec<Hash32>, SvcError> {
    let path: [u8; 1024] = exact(path)?;
    let (nodes, _) = path.as_chunks::<32>();
    Ok(nodes.iter().map(|node| Hash32(*node)).collect())
}

fn read_disclosure(told: DisclosureJson) -> Result<Disclosure, SvcError> {
    let transaction = Transaction::from_bytes(&told.transaction)?;
    Ok(Disclosure {
        txid: transaction.id(),
        transaction,
        index: told.index,
        spent: told.spent.map(|spent| (spent.value, spent.rcv)),
    })
}

fn receipt_facts(proved: &ProvedReceipt, bits: Option<u32>) -> Value {
    let header = proved.header().header();
    let note = proved.note().parts();
    json!({
        "grade": match proved.grade() {
            Grade::Work => "work",
            Grade::Chain => "chain",
        },
        "recipient": hex::encode(&note.recipient),
        "value": note.value.to_string(),
        "position": proved.note().position(),
        "block": proved.block(),
        "blueScore": proved.blue_score().map(|score| score.to_string()),
        "time": proved.time().map(|time| time.to_string()),
        "depth": proved.depth().to_string(),
        "header": proved.header().hash(),
        "bits": header.bits,
        "headerTime": header.timestamp_ms.to_string(),
        "work": format!("{:x}", proved.work()),
        "blocks": bits.map(|bits| proved.in_blocks_of(bits).to_string()),
        "challenge": proved.challenge().map(|challenge| json!({
            "text": challenge.text,
            "isAnswered": challenge.answer.is_some(),
        })),
        "disclosure": proved.disclosed().map(|disclosed| json!({
            "txid": disclosed.txid,
            "index": disclosed.index,
            "memo": hex::encode(&disclosed.memo),
            "spent": disclosed.spent.map(|value| value.to_string()),
        })),
    })
}
