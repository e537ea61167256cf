//! Random values through our formulas and through the parent network's crates.

use kaspa_consensus_core::config::params::MAX_DIFFICULTY_TARGET;
use kaspa_consensus_core::hashing;
use kaspa_consensus_core::header::Header as ParentHeader;
use kaspa_consensus_core::mass::{ComputeBudget, SigopCount};
use kaspa_consensus_core::subnets::SubnetworkId;
use kaspa_consensus_core::tx as parent;
use kaspa_hashes::{Hash, SeqCommitActiveNode};
use kaspa_math::Uint256;
use kaspa_muhash::MuHash as ParentMuHash;
use kaspa_seq_commit::{hashing as parent_seq, types};
use kaspa_smt::tree::SparseMerkleTree;
use proptest::collection::vec;
use proptest::prelude::*;
use svc_chain::bits::{bits_from_target, target_from_bits};
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::merkle::merkle_root;
use svc_chain::muhash::MuHash;
use svc_chain::seq_commit;
use svc_chain::transaction::{Covenant, Transaction, TxInput, TxOutput};
use svc_chain::uint256::{U256, blue_work_bytes};
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;

fn theirs(hash: &Hash32) -> Hash {
    Hash::from_bytes(hash.0)
}

fn ours(hash: Hash) -> Hash32 {
    Hash32(hash.as_bytes())
}

fn hash() -> impl Strategy<Value = Hash32> {
    any::<[u8; 32]>().prop_map(Hash32)
}

fn bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..max)
}

fn header() -> impl Strategy<Value = Header> {
    let levels = vec(vec(hash(), 0..3), 1..6);
    let numbers = (
        any::<u64>(),
        any::<u32>(),
        any::<u64>(),
        any::<u64>(),
        any::<[u64; 3]>(),
        0..24_u32,
    );
    (
        any::<u16>(),
        levels,
        [hash(), hash(), hash(), hash()],
        numbers,
    )
        .prop_map(|(version, mut levels, hashes, numbers)| {
            levels.push(levels[levels.len() - 1].clone());
            Header {
                version,
                parents: Parents::from_levels(&levels).expect("few levels"),
                hash_merkle_root: hashes[0],
                accepted_id_merkle_root: hashes[1],
                utxo_commitment: hashes[2],
                timestamp_ms: numbers.0,
                bits: numbers.1,
                nonce: numbers.2,
                daa_score: numbers.3,
                blue_work: U256([numbers.4[0], numbers.4[1], numbers.4[2], 0]) >> (numbers.5 * 8),
                blue_score: numbers.3 ^ numbers.0,
                pruning_point: hashes[3],
            }
        })
}

fn parent_header(header: &Header) -> ParentHeader {
    let levels: Vec<Vec<Hash>> = header
        .parents
        .expanded()
        .map(|level| level.iter().map(theirs).collect())
        .collect();
    ParentHeader::new_finalized(
        header.version,
        levels.try_into().expect("few levels"),
        theirs(&header.hash_merkle_root),
        theirs(&header.accepted_id_merkle_root),
        theirs(&header.utxo_commitment),
        header.timestamp_ms,
        header.bits,
        header.nonce,
        header.daa_score,
        kaspa_math::Uint192([
            header.blue_work.0[0],
            header.blue_work.0[1],
            header.blue_work.0[2],
        ]),
        header.blue_score,
        theirs(&header.pruning_point),
    )
}

fn transaction() -> impl Strategy<Value = Transaction> {
    (0..2_u16).prop_flat_map(|version| {
        let input = (hash(), any::<u32>(), bytes(20), any::<u64>(), 0..=255_u16).prop_map(
            |(txid, index, script, sequence, compute)| TxInput {
                txid,
                index,
                script,
                sequence,
                compute,
            },
        );
        let covenant = prop::option::of((any::<u16>(), hash()));
        let output = (any::<u64>(), any::<u16>(), bytes(50), covenant).prop_map(
            move |(value, script_version, script, covenant)| {
                let covenant = covenant.filter(|_| version > 0);
                let covenant = covenant.map(|(authorizing_input, id)| Covenant {
                    authorizing_input,
                    id,
                });
                TxOutput {
                    value,
                    script_version,
                    script,
                    covenant,
                }
            },
        );
        let mass = prop_oneof![Just(0), any::<u64>()];
        (
            vec(input, 0..3),
            vec(output, 0..3),
            bytes(100),
            any::<[u64; 2]>(),
            any::<[u8; 20]>(),
            mass,
        )
            .prop_map(
                move |(inputs, outputs, payload, numbers, subnetwork_id, storage_mass)| {
                    Transaction {
                        version,
                        inputs,
                        outputs,
                        lock_time: numbers[0],
                        subnetwork_id,
                        gas: numbers[1],
                        payload,
                        storage_mass,
                    }
                },
            )
    })
}

fn parent_transaction(transaction: &Transaction) -> parent::Transaction {
    let inputs = transaction.inputs.iter().map(|input| {
        let commit = if transaction.version == 0 {
            SigopCount(u8::try_from(input.compute).expect("bounded")).into()
        } else {
            ComputeBudget(input.compute).into()
        };
        let outpoint = parent::TransactionOutpoint::new(theirs(&input.txid), input.index);
        parent::TransactionInput::new_with_mass(
            outpoint,
            input.script.clone(),
            input.sequence,
            commit,
        )
    });
    let outputs = transaction.outputs.iter().map(|output| {
        let script =
            parent::ScriptPublicKey::from_vec(output.script_version, output.script.clone());
        let covenant = output.covenant.as_ref();
        let covenant = covenant
            .map(|bound| parent::CovenantBinding::new(bound.authorizing_input, theirs(&bound.id)));
        parent::TransactionOutput {
            value: output.value,
            script_public_key: script,
            covenant,
        }
    });
    let made = parent::Transaction::new(
        transaction.version,
        inputs.collect(),
        outputs.collect(),
        transaction.lock_time,
        SubnetworkId::from_bytes(transaction.subnetwork_id),
        transaction.gas,
        transaction.payload.clone(),
    );
    made.set_storage_mass(transaction.storage_mass);
    made
}

/// A transaction without inputs, outputs and payload in borsh, and a branch of one sibling.
const EMPTY_TRANSACTION_LEN: usize = 2 + 4 + 4 + 8 + 20 + 8 + 4 + 8 + 32;
const BRANCH_LEN: usize = 4 + 32;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn header_hashes(header in header()) {
        let parent = parent_header(&header);
        prop_assert_eq!(header.hash(), ours(parent.hash));
        prop_assert_eq!(header.pre_pow_hash(), ours(hashing::header::hash_override_nonce_time(&parent, 0, 0)));
        let nonce_free = hashing::header::hash_override_nonce_time(&parent, 0, header.timestamp_ms);
        prop_assert_eq!(header.nonce_free_hash(), ours(nonce_free));
    }

    #[test]
    fn transaction_ids_and_hashes(transaction in transaction()) {
        let parent = parent_transaction(&transaction);
        prop_assert_eq!(transaction.id(), ours(parent.id()));
        prop_assert_eq!(transaction.hash(), ours(hashing::tx::hash(&parent)));
    }

    /// A witness as the parent network's programs write it, whatever its first transaction is.
    #[test]
    fn first_transactions_of_witnesses(header in header(), transaction in transaction(), foreign: bool) {
        let mut parent = parent_transaction(&transaction);
        for input in parent.inputs.iter_mut().filter(|_| foreign) {
            input.compute_commit = match input.compute_commit {
                parent::ComputeCommit::SigopCount(_) => ComputeBudget(700).into(),
                parent::ComputeCommit::ComputeBudget(_) => SigopCount(7).into(),
            };
        }
        let coinbase = Transaction { inputs: Vec::new(), outputs: Vec::new(), payload: Vec::new(), ..transaction };
        let branch = vec![Hash32([1; 32])];
        let mut bytes = Witness { parent: header, coinbase, branch, nesting: 0 }.to_bytes();
        let tail = bytes.split_off(bytes.len() - BRANCH_LEN);
        bytes.truncate(bytes.len() - EMPTY_TRANSACTION_LEN);
        bytes.extend(borsh::to_vec(&parent).expect("memory"));
        bytes.extend(tail);
        let read = Witness::from_bytes(&bytes).expect("a witness");
        prop_assert_eq!(read.coinbase.hash(), ours(hashing::tx::hash(&parent)));
        prop_assert_eq!(read.coinbase.payload, parent.payload);
    }

    #[test]
    fn merkle_roots(leaves in vec(hash(), 0..40)) {
        prop_assert_eq!(merkle_root(&leaves), ours(kaspa_merkle::calc_merkle_root(leaves.iter().map(theirs))));
        let sequence = parent_seq::activity_digest_lane(leaves.iter().map(theirs));
        prop_assert_eq!(seq_commit::lane_digest(&leaves), ours(sequence));
        let payloads = parent_seq::miner_payload_root(leaves.iter().map(theirs));
        prop_assert_eq!(seq_commit::payload_root(&leaves), ours(payloads));
    }

    #[test]
    fn muhash(elements in vec(bytes(60), 0..6)) {
        let (mut mine, mut parent) = (MuHash::new(), ParentMuHash::new());
        for element in &elements {
            mine.add(element);
            parent.add_element(element);
        }
        prop_assert_eq!(mine.to_bytes(), parent.serialize());
        prop_assert_eq!(mine.finalize(), ours(parent.finalize()));
        prop_assert_eq!(MuHash::from_bytes(&mine.to_bytes()).expect("own bytes"), mine);
    }

    #[test]
    fn compact_bits(exponent in 0..33_u32, mantissa in 0..0x100_0000_u32, target: [u64; 4], shift in 0..256_u32) {
        let bits = exponent << 24 | mantissa;
        // Beyond 256 bits the parent's shift wraps; no valid target is there.
        if exponent <= 32 {
            prop_assert_eq!(target_from_bits(bits).0, Uint256::from_compact_target_bits(bits).0);
        }
        let target = U256(target) >> shift;
        prop_assert_eq!(bits_from_target(target), Uint256(target.0).compact_target_bits());
    }

    #[test]
    fn sequencing(hashes in [hash(), hash(), hash(), hash()], numbers: [u64; 3], payload in bytes(204), index: u32, version: u16) {
        let [a, b, c, d] = &hashes;
        let lane_id = core::array::from_fn(|place| a.0[place]);
        prop_assert_eq!(seq_commit::lane_key(&lane_id), ours(parent_seq::lane_key(&lane_id)));
        prop_assert_eq!(seq_commit::activity_leaf(a, version, index), ours(parent_seq::activity_leaf(&theirs(a), version, index)));
        let context = types::MergesetContext { timestamp: numbers[0], daa_score: numbers[1], blue_score: numbers[2] };
        let found = seq_commit::mergeset_context(numbers[0], numbers[1], numbers[2]);
        prop_assert_eq!(found, ours(parent_seq::mergeset_context_hash(&context)));
        let [pa, pb, pc, pd] = [a, b, c, d].map(theirs);
        let tip = types::LaneTipInput { parent_ref: &pa, lane_key: &pb, activity_digest: &pc, context_hash: &pd };
        prop_assert_eq!(seq_commit::lane_tip(a, b, c, d), ours(parent_seq::lane_tip_next(&tip)));
        let leaf = types::SmtLeafInput { lane_tip: &pa, blue_score: numbers[0] };
        prop_assert_eq!(seq_commit::active_leaf(a, numbers[0]), ours(parent_seq::smt_leaf_hash(&leaf)));
        let work = U256([numbers[0], numbers[1], 0, 0]) >> (numbers[2] % 128);
        let work_bytes = blue_work_bytes(work);
        let input = types::MinerPayloadLeafInput { block_hash: &pa, blue_work_be_bytes: &work_bytes, payload: &payload };
        prop_assert_eq!(seq_commit::miner_payload_leaf(a, work, &payload), ours(parent_seq::miner_payload_leaf(input)));
        prop_assert_eq!(seq_commit::activity_root(a, b), ours(parent_seq::activity_root_hash(&pa, &pb)));
        prop_assert_eq!(seq_commit::payload_and_context_digest(a, b), ours(parent_seq::payload_and_context_digest(&pa, &pb)));
        let state = types::SeqState { activity_root: &pa, payload_and_ctx_digest: &pb };
        prop_assert_eq!(seq_commit::state(a, b), ours(parent_seq::seq_state_root(&state)));
        let commit = types::SeqCommitInput { parent_seq_commit: &pa, state_root: &pb };
        prop_assert_eq!(seq_commit::commitment(a, b), ours(parent_seq::seq_commit(&commit)));
    }

    #[test]
    fn lanes_trees(lanes in vec((hash(), hash()), 0..20), twins in vec((any::<prop::sample::Index>(), 0..256_usize, hash()), 0..6)) {
        let mut lanes = lanes;
        // Keys that part late, down to the last bit, make the deep empty and collapsed subtrees.
        for (pick, bit, leaf) in twins {
            if lanes.is_empty() { break }
            let mut key = pick.get(&lanes).0;
            key.0[bit / 8] ^= 0x80 >> (bit % 8);
            lanes.push((key, leaf));
        }
        let mut tree = SparseMerkleTree::<SeqCommitActiveNode>::new();
        for (key, leaf) in &lanes {
            tree.insert(theirs(key), theirs(leaf));
        }
        prop_assert_eq!(seq_commit::lanes_root(&lanes), ours(tree.root()));
    }
}

#[test]
fn the_easiest_target_is_the_same() {
    assert_eq!(bits_from_target(U256(MAX_DIFFICULTY_TARGET.0)), 0x207f_ffff);
}
