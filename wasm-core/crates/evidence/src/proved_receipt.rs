//! The check of a receipt: by the work of its own header, or by a tip that was proved (docs/light-client.md).

use svc_chain::bits::work_from_bits;
use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::anchor_log::AnchorLog;
use svc_shielded::bundle::{Bundle, BundleFormat};
use svc_shielded::signing::challenge_answer::check_answer;
use svc_shielded::signing::payment_proof::{PaymentProof, ProvenPayment, SpentPart, check_proof};

use crate::header::{Judge, ProvedHeader};
use crate::membership::{Membership, ProvedEntry};
use crate::note::{ProvedNote, prove_note};
use crate::opening::ProvedState;
use crate::receipt::{Challenge, Disclosure, Receipt};
use crate::run::{Run, in_blocks};
use crate::tip::{ProvedTip, check_header};

/// What a receipt stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The work of its own header: whoever forged it needed as much on average.
    Work,
    /// The chain of a tip that the checker proved himself.
    Chain,
}

/// A receipt that holds. Only [`Judge::receipt`] and [`Judge::receipt_in_chain`] make one.
#[derive(Clone, Debug)]
pub struct ProvedReceipt {
    grade: Grade,
    work: U256,
    header: ProvedHeader,
    state: ProvedState,
    entry: Option<ProvedEntry>,
    note: ProvedNote,
    time: Option<u64>,
    disclosed: Option<Disclosed>,
    challenge: Option<Challenge>,
}

/// What the payer's disclosure shows beside the note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disclosed {
    /// Id of the payment. The payer says so: the tree holds the note, not the payment.
    pub txid: Hash32,
    /// Index of the action.
    pub index: u32,
    /// The memo without its padding.
    pub memo: Vec<u8>,
    /// Sompi of the note that the action spent, where the payer shows it.
    pub spent: Option<u64>,
}

/// The header of a run that a receipt stands on best, and what the receipt needs beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardestHeader {
    /// The header.
    pub hash: Hash32,
    /// Its selected parent, whose state it commits to.
    pub below: Hash32,
}

impl ProvedReceipt {
    /// What it stands on.
    pub fn grade(&self) -> Grade {
        self.grade
    }

    /// Hashes that a forger needs on average: for the header alone, or for the run above the tip; zero on a network that
    /// asks for no work.
    pub fn work(&self) -> U256 {
        self.work
    }

    /// The work in blocks of a difficulty, rounded down.
    pub fn in_blocks_of(&self, bits: u32) -> u64 {
        in_blocks(self.work, work_from_bits(bits))
    }

    /// The header that commits to the state.
    pub fn header(&self) -> &ProvedHeader {
        &self.header
    }

    /// The note.
    pub fn note(&self) -> &ProvedNote {
        &self.note
    }

    /// The block that the note is shown by. It stands in the tree after this block, so it was paid there or before.
    pub fn block(&self) -> Hash32 {
        let member = self.entry.as_ref().map(|entry| entry.entry().block);
        member.unwrap_or_else(|| self.state.block())
    }

    /// The blue score of that block; none for one from before the security fork, whose state does not tell.
    pub fn blue_score(&self) -> Option<u64> {
        let opened = || self.state.parts().log.as_ref().map(|log| log.blue_score);
        let member = self.entry.as_ref().map(|entry| entry.entry().blue_score);
        member.or_else(opened)
    }

    /// Chain blocks from that block up to the header. A header that stands near may be one that the chain left: its miner did not
    /// lie, and nobody had to forge it. A path shows the distance; without one the header is the next block.
    pub fn depth(&self) -> u64 {
        let count = self.state.log().map_or(0, AnchorLog::count);
        let below = |entry: &ProvedEntry| count.saturating_sub(entry.index());
        self.entry.as_ref().map_or(1, below)
    }

    /// The time in the header of that block, in milliseconds, where the receipt has it.
    pub fn time(&self) -> Option<u64> {
        self.time
    }

    /// What the payer's disclosure shows.
    pub fn disclosed(&self) -> Option<&Disclosed> {
        self.disclosed.as_ref()
    }

    /// The text of the asker. With an answer the payee signed it, else it is a claim.
    pub fn challenge(&self) -> Option<&Challenge> {
        self.challenge.as_ref()
    }
}

impl Judge<'_> {
    /// Checks a receipt by itself, with the work of its header. `challenge` is the text that the asker gave; the receipt must have
    /// it then.
    ///
    /// # Errors
    /// Those of [`Receipt::decode`]; `evidence/other-network`, `evidence/other-challenge`, `evidence/other-header` where the block's
    /// header is another's; those of [`Judge::header`], [`Judge::opening`], [`Judge::membership`], [`prove_note`] and
    /// [`check_proof`]; `keys/bad-signature`.
    pub fn receipt(
        &self,
        bytes: &[u8],
        challenge: Option<&str>,
    ) -> Result<ProvedReceipt, SvcError> {
        let receipt = self.read_receipt(bytes, challenge)?;
        let header = self.header(receipt.opening.0.clone())?;
        let work = self.worth(&header, header.level());
        self.prove_receipt(receipt, header, (Grade::Work, work))
    }

    /// Checks a receipt whose header is shown to be a member of the chain of a proved tip.
    ///
    /// # Errors
    /// `evidence/other-header` where the path is that of another block; those of [`Membership::decode`] and [`Judge::receipt`].
    pub fn receipt_in_chain(
        &self,
        bytes: &[u8],
        challenge: Option<&str>,
        tip: &ProvedTip,
        membership: &[u8],
    ) -> Result<ProvedReceipt, SvcError> {
        let receipt = self.read_receipt(bytes, challenge)?;
        let entry = self.membership(tip.state(), Membership::decode(membership)?)?;
        let header = self.member_header(&entry, receipt.opening.0.clone())?;
        self.prove_receipt(receipt, header, (Grade::Chain, tip.run().work()))
    }

    /// The header of a run that took the most work by its own hash, for a receipt about the run's base or a block below it. None
    /// where nothing stands above the base.
    ///
    /// # Errors
    /// Those of [`Run::decode`] and [`Judge::header`].
    pub fn hardest_header(&self, run: &[u8]) -> Result<Option<HardestHeader>, SvcError> {
        let mut hardest: Option<ProvedHeader> = None;
        for link in Run::decode(run)?.links {
            let header = self.header(link.header)?;
            if hardest
                .as_ref()
                .is_none_or(|known| header.level() > known.level())
            {
                hardest = Some(header);
            }
        }
        let told = |header: ProvedHeader| {
            let below = header.selected_parent()?;
            Ok(HardestHeader {
                hash: header.hash(),
                below,
            })
        };
        hardest.map(told).transpose()
    }

    fn read_receipt(&self, bytes: &[u8], challenge: Option<&str>) -> Result<Receipt, SvcError> {
        let receipt = Receipt::decode(bytes)?;
        if receipt.network != *self.network.genesis {
            return Err(SvcError::new(Code::EvidenceOtherNetwork)
                .with("expected", self.network.genesis)
                .with("found", receipt.network));
        }
        let found = receipt.challenge.as_ref().map(|found| found.text.as_str());
        if challenge.is_some() && challenge != found {
            return Err(SvcError::new(Code::EvidenceOtherChallenge));
        }
        Ok(receipt)
    }

    fn prove_receipt(
        &self,
        receipt: Receipt,
        header: ProvedHeader,
        (grade, work): (Grade, U256),
    ) -> Result<ProvedReceipt, SvcError> {
        let state = self.opening(&header, receipt.opening.1)?;
        let membership = receipt.membership;
        let entry = membership.map(|told| self.membership(&state, told));
        let entry = entry.transpose()?;
        let (block, tree_root) = entry.as_ref().map_or_else(
            || (state.block(), state.parts().tree_root),
            |entry| (entry.entry().block, entry.entry().tree_root),
        );
        if let Some(header) = &receipt.block {
            check_header(&block, &header.hash())?;
        }
        if let Some(Challenge {
            text,
            answer: Some(answer),
        }) = &receipt.challenge
        {
            let digest = Receipt::answer_digest(&receipt.network, &receipt.note, text);
            check_answer(&receipt.note.parts.recipient, &digest, answer)?;
        }
        let note = prove_note(&tree_root, receipt.note)?;
        let disclosed = receipt.disclosure.map(|told| disclosed(&note, &told));
        Ok(ProvedReceipt {
            grade,
            work,
            header,
            state,
            entry,
            time: receipt.block.map(|header| header.timestamp_ms),
            disclosed: disclosed.transpose()?,
            challenge: receipt.challenge,
            note,
        })
    }
}

/// Checks that the payment makes the note, and reads what it says to its payee.
fn disclosed(note: &ProvedNote, told: &Disclosure) -> Result<Disclosed, SvcError> {
    let parts = note.parts();
    let spent = told.spent.map(|(value, rcv)| SpentPart { value, rcv });
    let proof = PaymentProof {
        txid: told.txid,
        index: told.index,
        recipient: parts.recipient,
        value: parts.value,
        rseed: parts.rseed,
        spent,
    };
    let bundle = read_bundle(told)?;
    let ProvenPayment { memo, .. } = check_proof(&proof, &told.transaction, &bundle)?;
    let action = bundle.actions.get(told.index as usize);
    if action.is_none_or(|action| action.nullifier != parts.rho) {
        return Err(SvcError::new(Code::SignerNoteDiffers).with("index", told.index));
    }
    Ok(Disclosed {
        txid: told.txid,
        index: told.index,
        memo,
        spent: told.spent.map(|(value, _)| value),
    })
}

/// The bundle of a payment in the form that its own flags say.
fn read_bundle(told: &Disclosure) -> Result<Bundle, SvcError> {
    if !told.transaction.is_shielded() {
        return Err(SvcError::new(Code::TxNotShielded));
    }
    let payload = &told.transaction.payload;
    match Bundle::decode(payload, BundleFormat::NamedAnchor) {
        Err(error) if error.code == Code::TxAnchorBlockMissing => {
            Bundle::decode(payload, BundleFormat::Plain)
        }
        read => read,
    }
}
