//! Anchor binding: proves that a chain block from before the security fork had a given note tree (decision record
//! 29). Its state root stands in the coinbase of the block's child, and the child's header names that coinbase by its
//! merkle root.

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::Header;
use svc_chain::merkle::{branch_of_first, fold_first};
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_MERKLE_BRANCH;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::store::DagStore;
use svc_shielded::state_root::{Parts0, root0};

use crate::parameters::Parameters;
use crate::records::block_status::Stage;
use crate::records::chain_state::ChainState;
use crate::records::{Records, stored};
use crate::store::{Store, tables};

/// Version of the raw form.
const FORM: u8 = 1;

/// The state after a block in the parts that its root is made of, and the coinbase that commits to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorBinding {
    parts: Parts0,
    /// Coinbase of the selected child.
    coinbase: Transaction,
    /// Merkle siblings of the coinbase, the lowest first.
    branch: Vec<Hash32>,
}

impl AnchorBinding {
    /// The binding of a state by the transactions of the block's child.
    pub fn of(after: &ChainState, child: &[Transaction]) -> Option<Self> {
        let leaves: Vec<Hash32> = child.iter().map(Transaction::hash).collect();
        Some(Self {
            parts: after.parts(),
            coinbase: child.first()?.clone(),
            branch: branch_of_first(&leaves),
        })
    }

    /// Root of the note tree that is bound.
    pub fn tree_root(&self) -> Hash32 {
        self.parts.tree_root
    }

    /// Whether the header of the block's child commits to the state. Why not, otherwise.
    ///
    /// # Errors
    /// A reason in words.
    pub fn check(&self, profile: &Profile, child: &Header) -> Result<(), &'static str> {
        if !self.coinbase.is_coinbase() {
            return Err("the transaction is no coinbase");
        }
        if fold_first(self.coinbase.hash(), &self.branch) != child.hash_merkle_root {
            return Err("the coinbase is not that of the child");
        }
        let payload = CoinbasePayload::decode(&self.coinbase.payload);
        let committed = payload.map_err(|_| "the coinbase commits to nothing")?;
        let personal = profile.personalisation.state_root.as_bytes();
        if committed.state_root != root0(personal, &self.parts) {
            return Err("the coinbase commits to another state");
        }
        Ok(())
    }

    /// The raw form, which is stored and sent.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(FORM).hash(&self.parts.tree_root);
        writer.hash(&self.parts.nullifier_root);
        writer.u128(self.parts.cumulative_coinbase);
        writer.u128(self.parts.cumulative_fees);
        writer.count_u16(self.branch.len());
        for sibling in &self.branch {
            writer.hash(sibling);
        }
        self.coinbase.encode(&mut writer);
        writer.into_vec()
    }

    /// Reads the raw form.
    ///
    /// # Errors
    /// `codec/version`, `codec/count-too-large` above [`MAX_MERKLE_BRANCH`] siblings, other `codec/*`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let form = reader.u8()?;
        if form != FORM {
            let error = SvcError::new(Code::CodecVersion).with("expected", FORM);
            return Err(error.with("found", form));
        }
        let parts = Parts0 {
            tree_root: reader.hash()?,
            nullifier_root: reader.hash()?,
            cumulative_coinbase: reader.u128()?,
            cumulative_fees: reader.u128()?,
            burn_root: Hash32::ZERO,
        };
        let count = reader.count_u16(MAX_MERKLE_BRANCH, 32)?;
        let branch = (0..count)
            .map(|_| reader.hash())
            .collect::<Result<_, _>>()?;
        let coinbase = Transaction::decode(&mut reader)?;
        reader.finish()?;
        Ok(Self {
            parts,
            coinbase,
            branch,
        })
    }
}

impl<S: Store> Records<S> {
    /// The binding of a chain block from before the security fork by its child on the chain: as it is stored, or made of
    /// what is held of both; `None` when that is gone.
    ///
    /// # Errors
    /// `store/*`.
    pub fn anchor_binding(
        &self,
        block: &Hash32,
        child: &Hash32,
    ) -> Result<Option<AnchorBinding>, SvcError> {
        let row = self
            .overlay
            .get(tables::ANCHOR_BINDINGS, block.as_bytes())?;
        if let Some(bytes) = row {
            return stored("anchor bindings", AnchorBinding::from_bytes(&bytes)).map(Some);
        }
        let Some(after) = self.find_chain_state(block)? else {
            return Ok(None);
        };
        if !self.stage(child)?.is_some_and(Stage::has_body) {
            return Ok(None);
        }
        Ok(AnchorBinding::of(&after, &self.body(child)?.transactions))
    }

    /// Writes the binding of a block.
    pub fn put_anchor_binding(&mut self, block: &Hash32, binding: &AnchorBinding) {
        let row = binding.to_bytes();
        self.overlay
            .put(tables::ANCHOR_BINDINGS, block.as_bytes(), row);
    }

    /// Keeps the binding of a block whose own records are about to go. From the fork on the anchor log binds anchors.
    ///
    /// # Errors
    /// `store/*`.
    pub(crate) fn keep_anchor_binding(
        &mut self,
        rules: &Parameters,
        block: &Hash32,
        child: &Hash32,
    ) -> Result<(), SvcError> {
        let is_kept = self
            .overlay
            .get(tables::ANCHOR_BINDINGS, block.as_bytes())?
            .is_some();
        // Of a block that is pruned already nothing can be made.
        if is_kept || !self.has_header(block)? {
            return Ok(());
        }
        if rules.fork_active(self.header(block)?.header.daa_score) {
            return Ok(());
        }
        if let Some(binding) = self.anchor_binding(block, child)? {
            self.put_anchor_binding(block, &binding);
        }
        Ok(())
    }
}
