//! Network profile: the identity and the consensus parameters of a network, as data.
//!
//! JSON in → checked [`Profile`] → canonical JSON and digest. The built-in files under
//! `profiles/` are the only place where a name or a number of a network is spelled.

pub(crate) mod rules;
pub mod values;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_codec::limits::MAX_PROFILE_LEN;

use crate::profile::rules::check;
use crate::profile::values::{AsciiTag, HexBytes, Sompi, Work, height, payee, port};

/// Fields that older profile files lack, with the values those files mean.
const DEFAULTS: &str = include_str!("../../../profiles/defaults.json");

const BUILT_IN: [(&str, &str); 4] = [
    ("mainnet", include_str!("../../../profiles/mainnet.json")),
    (
        "testnet-10",
        include_str!("../../../profiles/testnet-10.json"),
    ),
    ("devnet", include_str!("../../../profiles/devnet.json")),
    ("simnet", include_str!("../../../profiles/simnet.json")),
];

/// Whether a rule with this activation height (`None` = never) holds at `daa_score`
/// (specification consensus 1.4).
pub const fn active(height: Option<u64>, daa_score: u64) -> bool {
    match height {
        Some(from) => daa_score >= from,
        None => false,
    }
}

/// One network. Depths are blue scores, windows are sample counts, heights are DAA scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    /// Name on the wire and of the data folder.
    pub network_name: String,
    /// Prefix of addresses, without the colon.
    pub hrp: String,
    /// Domain strings of the shielded hashes.
    pub personalisation: Personalisation,
    /// Marks of a commitment inside a parent coinbase.
    pub merge_mining_tags: MergeMiningTags,
    /// The first block.
    pub genesis: GenesisValues,
    /// Default ports.
    pub ports: Ports,
    /// Host names that answer with peers.
    pub seeders: Vec<String>,
    /// Milliseconds between blocks; divides 1000.
    pub target_time_per_block_ms: u64,
    /// Anticone bound of GHOSTDAG.
    pub ghostdag_k: u16,
    /// One block in this many enters the past-median-time window.
    pub past_median_time_sample_rate: u64,
    /// Samples of the past-median-time window.
    pub past_median_time_window_size: u64,
    /// One block in this many enters the difficulty window.
    pub difficulty_sample_rate: u64,
    /// Samples of the difficulty window.
    pub difficulty_window_size: u64,
    /// Samples below which bits stay as they are.
    pub min_difficulty_window_size: u64,
    /// Easiest target, compact.
    pub max_difficulty_target_bits: u32,
    /// Bits stay those of genesis (private networks without proof of work).
    pub fixed_difficulty: bool,
    /// How far a timestamp may lie ahead, milliseconds.
    pub timestamp_deviation_tolerance_ms: u64,
    /// Direct parents of a block.
    pub max_block_parents: u64,
    /// Blocks of a mergeset, the selected parent included.
    pub mergeset_size_limit: u64,
    /// Depth of bounded merging.
    pub merge_depth: u64,
    /// Depth of finality.
    pub finality_depth: u64,
    /// Depth of pruning.
    pub pruning_depth: u64,
    /// Maturity of transparent coinbases; wallets show it.
    pub coinbase_maturity: u64,
    /// Youngest age of an anchor.
    pub shielded_anchor_depth: u64,
    /// Oldest age of an anchor.
    pub max_shielded_anchor_age: u64,
    /// Security parameter of the header proof.
    pub pruning_proof_m: u64,
    /// Level of genesis and highest level of a block.
    pub max_block_level: u8,
    /// Proof of work is computed for levels and never judged.
    pub skip_proof_of_work: bool,
    /// Work in hashes that a chain must show before a store begins at its pruning point; 0 asks for none.
    pub minimum_work: Work,
    /// Mass limits of one block.
    pub mass_limits: MassLimits,
    /// Subsidy schedule.
    pub emission: EmissionValues,
    /// Heights from which rules hold.
    pub activations: Activations,
    /// A shielded transaction is valid only once its lock time has passed.
    pub enforce_lock_time: bool,
    /// Only coinbases and shielded payments are taken.
    pub only_version2: bool,
    /// A coinbase may have k + 4 outputs at every height, not only from the security fork.
    pub output_bound_k4: bool,
    /// Development fee.
    pub dev_fee: DevFee,
    /// From the security fork, the miner slot is paid when the DAA score crosses a multiple.
    pub miner_slot_payout_interval_daa: u64,
    /// Low difficulty after genesis (recorded chains).
    pub launch_ramp: LaunchRamp,
    /// Numbers of the wallet's policy.
    pub wallet: WalletPolicy,
}

/// Domain strings (specification shielded 1.4, consensus 6 and 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Personalisation {
    /// Transaction signature hash.
    pub sighash: AsciiTag<16>,
    /// Rho of coinbase notes.
    pub coinbase_rho: AsciiTag<16>,
    /// Rseed of coinbase notes.
    pub coinbase_seed: AsciiTag<16>,
    /// State root before the security fork, and the inner part of the later one.
    pub state_root: AsciiTag<16>,
    /// Signed messages.
    pub message: AsciiTag<16>,
    /// State root from the security fork.
    pub state_root_v1: AsciiTag<16>,
    /// Entry of the anchor log.
    pub anchor_log_leaf: AsciiTag<16>,
    /// Inner node of the anchor log.
    pub anchor_log_node: AsciiTag<16>,
    /// Commitment to the whole anchor log.
    pub anchor_log_root: AsciiTag<16>,
    /// Prefix of the merge-mining commitment of form 1; hashed as data.
    pub aux_bind: String,
}

/// Four bytes before a merge-mining commitment (specification consensus 5.2 and 6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MergeMiningTags {
    /// Until merge mining is bound.
    pub form0: AsciiTag<4>,
    /// From then on.
    pub form1: AsciiTag<4>,
}

/// The free parts of the genesis block (specification consensus 1.5) and its id as a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisValues {
    /// Milliseconds since 1970.
    pub timestamp_ms: u64,
    /// Compact target.
    pub bits: u32,
    /// Nonce.
    pub nonce: u64,
    /// Text at the end of the coinbase payload.
    pub coinbase_text: String,
    /// Block id that follows from the above.
    pub hash: Hash32,
}

/// Default ports of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ports {
    /// gRPC.
    pub grpc: u16,
    /// Peers, listening.
    pub p2p: u16,
    /// Peers named without a port; `None` = the listening port.
    #[serde(deserialize_with = "port")]
    pub p2p_dial: Option<u16>,
    /// wRPC, borsh encoding.
    pub wrpc_borsh: u16,
    /// wRPC, JSON encoding.
    pub wrpc_json: u16,
    /// HTTP; `None` = the gRPC port + 3000.
    #[serde(deserialize_with = "port")]
    pub http: Option<u16>,
}

/// Block mass per dimension (specification consensus 1.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MassLimits {
    /// Work of checking.
    pub compute: u64,
    /// Growth of permanent state.
    pub storage: u64,
    /// Bytes relayed and kept until pruning.
    pub transient: u64,
}

/// Subsidy before the schedule starts, and where it starts (specification consensus 10.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmissionValues {
    /// Subsidy of a block below the start.
    pub pre_deflationary_subsidy_sompi: Sompi,
    /// DAA score at which the schedule starts.
    pub deflationary_phase_start_daa: u64,
}

/// Activation heights; `None` = never (specification consensus 1.4 and 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Activations {
    /// Block version 2, sequencing commitment.
    #[serde(deserialize_with = "height")]
    pub toccata: Option<u64>,
    /// Merge-mined blocks.
    #[serde(deserialize_with = "height")]
    pub merged_mining: Option<u64>,
    /// An anchor may have several producing blocks.
    #[serde(deserialize_with = "height")]
    pub multi_producer_anchors: Option<u64>,
    /// The development fee is carried and paid at intervals.
    #[serde(deserialize_with = "height")]
    pub dev_fee_accrual: Option<u64>,
    /// The coinbase note seed holds the block hash.
    #[serde(deserialize_with = "height")]
    pub coinbase_seed_by_block_hash: Option<u64>,
    /// The security fork.
    #[serde(deserialize_with = "height")]
    pub security_fork: Option<u64>,
    /// No development fee from here on.
    #[serde(deserialize_with = "height")]
    pub dev_fee_end: Option<u64>,
    /// An own coinbase may not carry a merge-mining commitment.
    #[serde(deserialize_with = "height")]
    pub commitment_ban: Option<u64>,
    /// Merge-mined blocks are bound to one witness; a file without it means the height of the security fork.
    #[serde(deserialize_with = "height")]
    pub bound_merge_mining: Option<u64>,
}

/// Development fee (specification consensus 10.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DevFee {
    /// Thousandths of the subsidy.
    pub permille: u64,
    /// Paid when the DAA score crosses a multiple.
    pub payout_interval_daa: u64,
    /// Raw address; `None` = no fee.
    #[serde(deserialize_with = "payee")]
    pub recipient_hex: Option<HexBytes<43>>,
}

/// Launch schedule of the difficulty (specification consensus 7.5); both 0 = none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LaunchRamp {
    /// Blocks at the genesis target.
    pub low_difficulty_blocks: u64,
    /// Blocks over which the floor fades.
    pub ramp_blocks: u64,
}

/// Policy of the wallet, blue scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WalletPolicy {
    /// Preferred distance of an anchor beyond the anchor depth.
    pub slack: u64,
    /// Anchors are taken at multiples, so that wallets share them.
    pub grid: u64,
    /// Depth from which the wallet no longer expects a reorganisation.
    pub settle_depth: u64,
}

impl Profile {
    /// Reads and checks a profile file; fields it may lack are filled in.
    ///
    /// # Errors
    /// `profile/too-large`, `profile/invalid` for a wrong form, `profile/bad-value` for a
    /// number outside its rule, `profile/genesis-mismatch`.
    pub fn from_json(text: &str) -> Result<Self, SvcError> {
        if text.len() > MAX_PROFILE_LEN {
            let error = SvcError::new(Code::ProfileTooLarge).with("length", text.len());
            return Err(error.with("max", MAX_PROFILE_LEN));
        }
        let mut value: Value = serde_json::from_str(text).map_err(invalid)?;
        fill(
            &mut value,
            &serde_json::from_str(DEFAULTS).map_err(invalid)?,
        );
        fill_bound_merge_mining(&mut value);
        let profile: Self = serde_json::from_value(value).map_err(invalid)?;
        check(&profile)?;
        Ok(profile)
    }

    /// The built-in profile of `mainnet`, `testnet-10`, `devnet` or `simnet`.
    pub fn built_in(name: &str) -> Option<Self> {
        let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Self::from_json(text).ok()
    }

    /// The names [`Profile::built_in`] knows.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// JSON with every field, keys sorted, no blanks: equal profiles have equal text.
    pub fn canonical_json(&self) -> String {
        let mut text = String::new();
        // Every field is a string, a number, a boolean, a list or a struct of these, which
        // serde_json always renders.
        write_sorted(&serde_json::to_value(self).unwrap_or_default(), &mut text);
        text
    }

    /// BLAKE2b-256 of the canonical JSON without the fields of a later day that hold their defaults: a network that does
    /// not use them keeps its digest, and with it stores, wallets and peers (decision record 27).
    pub fn digest(&self) -> Hash32 {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        let heights = &self.activations;
        if self.minimum_work.0.is_zero() {
            remove(&mut value, "minimumWork");
        }
        if heights.bound_merge_mining == heights.security_fork
            && let Some(heights) = value.get_mut("activations")
        {
            remove(heights, "boundMergeMining");
        }
        let mut text = String::new();
        write_sorted(&value, &mut text);
        blake2b_plain().update(text.as_bytes()).finalize()
    }

    /// Blocks per second, B in the specification's formulas.
    pub const fn blocks_per_second(&self) -> u64 {
        match 1000_u64.checked_div(self.target_time_per_block_ms) {
            Some(rate) if rate > 0 => rate,
            _ => 1,
        }
    }

    /// The port of the HTTP server.
    pub fn http_port(&self) -> u16 {
        self.ports
            .http
            .unwrap_or_else(|| self.ports.grpc.saturating_add(3000))
    }

    /// Whom the development fee is paid to, if there is one.
    pub fn dev_fee_recipient(&self) -> Option<&[u8; 43]> {
        self.dev_fee
            .recipient_hex
            .as_ref()
            .map(|recipient| &recipient.0)
    }
}

fn fill(value: &mut Value, defaults: &Value) {
    let (Value::Object(fields), Value::Object(defaults)) = (value, defaults) else {
        return;
    };
    for (key, default) in defaults {
        match fields.get_mut(key) {
            Some(field) => fill(field, default),
            None => {
                fields.insert(key.clone(), default.clone());
            }
        }
    }
}

fn remove(value: &mut Value, field: &str) {
    if let Value::Object(fields) = value {
        fields.remove(field);
    }
}

/// The one default that is another field: before it had a height of its own, form 1 came with the security fork.
fn fill_bound_merge_mining(value: &mut Value) {
    let Some(Value::Object(heights)) = value.get_mut("activations") else {
        return;
    };
    let Some(fork) = heights.get("securityFork").cloned() else {
        return;
    };
    heights.entry("boundMergeMining").or_insert(fork);
}

fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(key, _)| key.as_str());
            write_list(text, ('{', '}'), sorted, |(key, field), text| {
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write_sorted(field, text);
            });
        }
        Value::Array(items) => write_list(text, ('[', ']'), items, write_sorted),
        other => text.push_str(&other.to_string()),
    }
}

fn write_list<T>(
    text: &mut String,
    (open, close): (char, char),
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(T, &mut String),
) {
    text.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(item, text);
    }
    text.push(close);
}

fn invalid(error: serde_json::Error) -> SvcError {
    SvcError::new(Code::ProfileInvalid).with("reason", error)
}
