//! A chain of our own for tests of evidence: real work on every header, states, logs and sequencing commitments that follow
//! from each other. What a block holds beside them is drawn.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::header::raw::ReadHeader;
use svc_chain::merkle::merkle_root;
use svc_chain::muhash::MuHash;
use svc_chain::profile::Profile;
use svc_chain::seq_commit::{commitment, payload_digest};
use svc_chain::subnetwork::COINBASE;
use svc_chain::transaction::Transaction;
use svc_chain::uint256::U256;
use svc_chance::chance::Chance;
use svc_codec::hash32::Hash32;
use svc_codec::limits::LEAST_STEP_LEVEL;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::{LogPlace, Membership};
use svc_evidence::opening::{Nullifiers, OpenedLog, Opening};
use svc_evidence::parent_path::ParentPath;
use svc_evidence::run::{Link, Run, Step};
use svc_pow::heavy_hash::{PowState, block_level};
use svc_pow::judge_work::WorkNetwork;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};
use svc_shielded::state_root::{Carried, Parts0, state_root};

/// The easiest bits there are, a hash in two.
pub const EASY_BITS: u32 = 0x207f_ffff;

/// A block with its state after it.
#[derive(Clone)]
pub struct Made {
    /// The header.
    pub header: Header,
    /// Its transactions.
    pub transactions: Vec<Transaction>,
    /// The state of its sequencing commitment.
    pub sequencing: Hash32,
    /// The opening of that state; drawn for genesis.
    pub path: ParentPath,
    /// Root of the note tree.
    pub tree_root: Hash32,
    /// Product of the nullifiers.
    pub nullifiers: MuHash,
    /// Minted so far.
    pub minted: u128,
    /// Fees so far.
    pub fees: u128,
    /// The log before the block.
    pub log_before: AnchorLog,
    /// The log with the block.
    pub log: AnchorLog,
}

/// A chain of blocks, genesis first.
pub struct TestChain {
    /// The network: that of the built-in simulation, with work.
    pub profile: Profile,
    /// The blocks.
    pub blocks: Vec<Made>,
    /// Nodes of the log by height.
    nodes: Vec<Vec<Hash32>>,
    /// Roots of the note tree after some blocks; those of the others are drawn.
    tree_roots: Vec<(usize, Hash32)>,
    chance: Chance,
}

impl TestChain {
    /// A chain of `length` blocks above genesis whose security fork is at block `fork`. Every `every`-th reaches `level`.
    pub fn make(seed: u64, length: usize, fork: u64, level: u8, every: usize) -> Self {
        Self::with_trees(seed, length, fork, (level, every), Vec::new())
    }

    /// Such a chain with known roots of the note tree after some blocks.
    pub fn with_trees(
        seed: u64,
        length: usize,
        fork: u64,
        (level, every): (u8, usize),
        tree_roots: Vec<(usize, Hash32)>,
    ) -> Self {
        println!("seed {seed}");
        let mut profile = Profile::built_in("simnet").unwrap();
        profile.skip_proof_of_work = false;
        // The highest that a profile may have: half of all blocks reach none.
        profile.max_block_level = 254;
        profile.activations.security_fork = Some(fork);
        let mut chain = Self {
            profile,
            blocks: Vec::new(),
            nodes: vec![Vec::new(); 64],
            tree_roots,
            chance: Chance::new(seed),
        };
        for index in 0..=length {
            let is_high = every > 0 && index % every == 0;
            chain.add(if is_high { level } else { 0 });
        }
        chain
    }

    /// Hash of the block at an index.
    pub fn hash(&self, index: usize) -> Hash32 {
        self.blocks[index].header.hash()
    }

    /// The judge of this network, with its own floor.
    pub fn with_judge<T>(&self, floor: Option<WorkFloor>, run: impl FnOnce(&Judge<'_>) -> T) -> T {
        let genesis = self.hash(0);
        run(&Judge {
            network: WorkNetwork {
                profile: &self.profile,
                genesis: &genesis,
            },
            floor: floor.unwrap_or(WorkFloor::of_network(&self.profile)),
        })
    }

    /// The header of a block as evidence carries it.
    pub fn header(&self, index: usize) -> ReadHeader {
        (self.blocks[index].header.clone(), None)
    }

    /// The opening of the state after a block; `with_product` as a wallet that begins there asks for.
    pub fn opening(&self, index: usize, with_product: bool) -> Opening {
        let (made, child) = (&self.blocks[index], &self.blocks[index + 1]);
        self.opening_under(made, &child.transactions, with_product)
    }

    /// A block beside the one at an index, with the same parents and the same accepted ids, over a false state: another note
    /// tree, and more coins than there are. It is mined up to a level. The opening of that state comes with it.
    pub fn lie_beside(&self, index: usize, level: u8) -> (Header, Opening) {
        let mut made = self.blocks[index - 1].clone();
        made.minted += 10_000_000;
        made.tree_root.0[0] ^= 1;
        made.log = made.log_before.clone();
        if self.is_logged(&made) {
            let entry = self.entry(&made);
            made.log.append(&LogPersonals::of(&self.profile), &entry);
        }
        let mut header = self.blocks[index].header.clone();
        let state = self.state_root_of(index - 1, &made);
        let transactions = [self.coinbase(header.blue_score, state)];
        header.hash_merkle_root = transactions[0].hash();
        header.nonce = 0;
        self.mine(&mut header, level);
        let opening = self.opening_under(&made, &transactions, false);
        (header, opening)
    }

    fn opening_under(&self, made: &Made, child: &[Transaction], with_product: bool) -> Opening {
        Opening {
            coinbase: child[0].clone(),
            branch: Opening::branch_in(child),
            tree_root: made.tree_root,
            nullifiers: if with_product {
                Nullifiers::Product(Box::new(made.nullifiers.clone()))
            } else {
                Nullifiers::Digest(made.nullifiers.finalize())
            },
            cumulative_coinbase: made.minted,
            cumulative_fees: made.fees,
            log: self.is_logged(made).then(|| OpenedLog {
                parent: made.header.direct_parents()[0],
                blue_score: made.header.blue_score,
                before: made.log_before.clone(),
                dev_accrued: 5,
                slot_script_version: 1,
                slot_script: vec![7; 43],
                slot_amount: made.header.daa_score,
            }),
        }
    }

    /// The path of a block in the log after another.
    pub fn membership(&self, index: usize, at: usize) -> Membership {
        let first = self
            .blocks
            .iter()
            .position(|made| self.is_logged(made))
            .unwrap();
        let place = (index - first) as u64;
        let height = LogPlace::of(place, self.blocks[at].log.count())
            .unwrap()
            .height;
        Membership {
            index: place,
            entry: self.entry(&self.blocks[index]),
            path: Membership::siblings(place, height)
                .map(|(height, position)| self.nodes[height as usize][position as usize])
                .collect(),
        }
    }

    /// A run from one block to another through the blocks that reach `level`, and the neighbours of the base up to the first block
    /// above which blocks may be skipped.
    pub fn run(&self, from: usize, to: usize, level: u8) -> Run {
        let mut links = Vec::new();
        let mut below = from;
        for index in from + 1..=to {
            let reached = self.level_of(&self.blocks[index].header);
            let may_skip = self.level_of(&self.blocks[below].header) >= LEAST_STEP_LEVEL;
            if reached >= level || !may_skip && below == index - 1 {
                links.push(Link {
                    step: self.step(below, index),
                    header: self.header(index),
                });
                below = index;
            }
        }
        Run {
            level,
            base: self.header(from),
            links,
        }
    }

    /// The step from a block to one above it.
    pub fn step(&self, below: usize, index: usize) -> Step {
        if index == below + 1 {
            return Step::Neighbour;
        }
        let above = &self.blocks[below + 2..=index];
        Step::Over {
            lowest: self.blocks[below + 1].path.clone(),
            states: above.iter().map(|made| made.sequencing).collect(),
        }
    }

    /// The block level that a header reaches.
    pub fn level_of(&self, header: &Header) -> u8 {
        block_level(
            self.profile.max_block_level,
            PowState::new(header).pow(header.nonce),
        )
    }

    fn entry(&self, made: &Made) -> LogEntry {
        LogEntry {
            block: made.header.hash(),
            parent: made.header.direct_parents()[0],
            tree_root: made.tree_root,
            blue_score: made.header.blue_score,
        }
    }

    fn is_logged(&self, made: &Made) -> bool {
        let fork = self.profile.activations.security_fork.unwrap();
        made.header.daa_score >= fork
    }

    fn draw(&mut self) -> Hash32 {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.chance.bits().to_le_bytes());
        }
        Hash32(bytes)
    }

    fn state_root_of(&self, index: usize, made: &Made) -> Hash32 {
        let parts = Parts0 {
            tree_root: made.tree_root,
            nullifier_root: made.nullifiers.finalize(),
            cumulative_coinbase: made.minted,
            cumulative_fees: made.fees,
            burn_root: Hash32::ZERO,
        };
        let carried = Carried {
            dev_accrued: 5,
            anchor_commitment: made.log.commitment(&LogPersonals::of(&self.profile)),
            slot_script_version: 1,
            slot_script: vec![7; 43],
            slot_amount: index as u64,
        };
        state_root(
            &self.profile,
            &parts,
            self.is_logged(made).then_some(&carried),
        )
    }

    fn coinbase(&self, score: u64, state: Hash32) -> Transaction {
        let payload = CoinbasePayload {
            blue_score: score,
            subsidy: 600,
            state_root: state,
            script_version: 0,
            script: vec![3; 43],
            extra: Vec::new(),
        };
        Transaction {
            version: 1,
            inputs: Vec::new(),
            outputs: Vec::new(),
            lock_time: 0,
            subnetwork_id: COINBASE,
            gas: 0,
            payload: payload.encode().unwrap(),
            storage_mass: 0,
        }
    }

    fn add(&mut self, level: u8) {
        let index = self.blocks.len();
        let before = self.blocks.last().cloned();
        let state = before
            .as_ref()
            .map_or(Hash32::ZERO, |made| self.state_root_of(index - 1, made));
        let mut transactions = vec![self.coinbase(index as u64, state)];
        for _ in 0..self.chance.below(4) {
            let mut other = transactions[0].clone();
            other.lock_time = self.chance.bits();
            transactions.push(other);
        }
        let path = self.path_above(before.as_ref());
        let sequencing = match &before {
            Some(made) => path.state_above(&made.header.hash(), &made.header),
            None => Hash32::ZERO,
        };
        let accepted = before.as_ref().map_or(Hash32::ZERO, |made| {
            commitment(&made.header.accepted_id_merkle_root, &sequencing)
        });
        let parent = before.as_ref().map(|made| made.header.hash());
        let header = self.mined(index, level, parent, accepted, &transactions);
        let mut nullifiers = before
            .as_ref()
            .map_or_else(MuHash::new, |made| made.nullifiers.clone());
        nullifiers.add(self.draw().as_bytes());
        let known = self.tree_roots.iter().find(|(block, _)| *block == index);
        let known = known.map(|(_, root)| *root);
        let mut made = Made {
            header,
            transactions,
            sequencing,
            path,
            tree_root: known.unwrap_or_else(|| self.draw()),
            nullifiers,
            minted: before.as_ref().map_or(0, |made| made.minted) + 600,
            fees: before.as_ref().map_or(0, |made| made.fees) + 1,
            log_before: before
                .as_ref()
                .map_or_else(AnchorLog::default, |made| made.log.clone()),
            log: AnchorLog::default(),
        };
        made.log = made.log_before.clone();
        if index > 0 && self.is_logged(&made) {
            let completed = made
                .log
                .append(&LogPersonals::of(&self.profile), &self.entry(&made));
            for (height, node) in completed.into_iter().enumerate() {
                self.nodes[height].push(node);
            }
        }
        self.blocks.push(made);
    }

    /// Sequencing of a block above another one: drawn, but for what names that one.
    fn path_above(&mut self, below: Option<&Made>) -> ParentPath {
        let siblings = self.chance.below(4);
        ParentPath {
            activity_root: self.draw(),
            daa_step: 1,
            blue_step: 1,
            payload_digest: below.map_or(Hash32::ZERO, |made| {
                payload_digest(&made.transactions[0].payload)
            }),
            siblings: (0..siblings).map(|_| self.draw()).collect(),
        }
    }

    fn mined(
        &mut self,
        index: usize,
        level: u8,
        parent: Option<Hash32>,
        accepted: Hash32,
        transactions: &[Transaction],
    ) -> Header {
        let leaves: Vec<Hash32> = transactions.iter().map(Transaction::hash).collect();
        let levels: Vec<Vec<Hash32>> = parent.map(|parent| vec![parent]).into_iter().collect();
        let mut header = Header {
            version: 2,
            parents: Parents::from_levels(&levels).unwrap(),
            hash_merkle_root: merkle_root(&leaves),
            accepted_id_merkle_root: accepted,
            utxo_commitment: MuHash::empty_digest(),
            timestamp_ms: 1_000 * index as u64,
            bits: EASY_BITS,
            nonce: 0,
            daa_score: index as u64,
            blue_work: U256::from(2 * index),
            blue_score: index as u64,
            pruning_point: Hash32::ZERO,
        };
        self.mine(&mut header, level);
        header
    }

    /// Finds a nonce with which a header has work and reaches a level.
    pub fn mine(&self, header: &mut Header, level: u8) {
        let state = PowState::new(header);
        let target = svc_chain::bits::target_from_bits(header.bits);
        while {
            let value = state.pow(header.nonce);
            value > target || block_level(self.profile.max_block_level, value) < level
        } {
            header.nonce += 1;
        }
    }
}
