//! Consensus parameters of a network: its profile, with what is derived from it once.

use svc_chain::block::Block;
use svc_chain::genesis::genesis_block;
use svc_chain::header::Header;
use svc_chain::profile::{Profile, active};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::windows::WindowManager;
use svc_pow::judge_work::{AcceptedWork, WorkNetwork, judge_work};
use svc_shielded::bundle::BundleFormat;

/// The profile of a network, its genesis, and the caches that depend on nothing else.
pub struct Parameters {
    /// Names and numbers of the network.
    pub profile: Profile,
    /// Genesis block.
    pub genesis: Block,
    /// Its hash, the network domain of every sighash.
    pub genesis_hash: Hash32,
    /// Difficulty and median-time windows.
    pub windows: WindowManager,
}

impl Parameters {
    /// Derives genesis.
    pub fn new(profile: Profile) -> Self {
        let genesis = genesis_block(&profile);
        let genesis_hash = genesis.hash();
        Self {
            profile,
            genesis,
            genesis_hash,
            windows: WindowManager::new(),
        }
    }

    /// Judges the work behind a header, as [`judge_work`] does.
    ///
    /// # Errors
    /// `header/invalid-pow`.
    pub fn judge_work(
        &self,
        header: &Header,
        witness: Option<&[u8]>,
    ) -> Result<AcceptedWork, SvcError> {
        let network = WorkNetwork {
            profile: &self.profile,
            genesis: &self.genesis_hash,
        };
        judge_work(&network, header, witness)
    }

    /// Whether the security fork rules hold at a DAA score (specification consensus 13).
    pub fn fork_active(&self, daa_score: u64) -> bool {
        active(self.profile.activations.security_fork, daa_score)
    }

    /// Bundle form of transactions carried by a block of this DAA score (specification consensus 9.4).
    pub fn bundle_format(&self, daa_score: u64) -> BundleFormat {
        BundleFormat::for_fork(self.fork_active(daa_score))
    }

    /// Header version at a DAA score (specification consensus 1.3).
    pub fn block_version(&self, daa_score: u64) -> u16 {
        if active(self.profile.activations.toccata, daa_score) {
            2
        } else {
            1
        }
    }

    /// Coinbase transaction version at a DAA score (specification consensus 9.1).
    pub fn coinbase_version(&self, daa_score: u64) -> u16 {
        if active(self.profile.activations.toccata, daa_score) {
            1
        } else {
            0
        }
    }
}
