//! Context of one chain: the parameters of its network and the records of its blocks. Almost everything that judges blocks
//! or answers questions takes the two together.

use svc_chain::profile::Profile;

use crate::parameters::Parameters;
use crate::records::Records;
use crate::store::Store;

/// The rules of a network together with the records of its blocks.
pub struct Chain<S> {
    /// What the network asks of blocks.
    pub rules: Parameters,
    /// What is known of its blocks, over a store.
    pub records: Records<S>,
}

impl<S: Store> Chain<S> {
    /// The chain of a network in a store that may be empty; nothing is read or written.
    pub fn new(store: S, profile: Profile) -> Self {
        Self {
            rules: Parameters::new(profile),
            records: Records::new(store),
        }
    }
}
