//! Fuzz targets for the input of peers, miners and callers: blocks, headers, transactions, witnesses.

use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::header::raw::{HashedHeader, read_headers, write_headers};
use svc_chain::mass;
use svc_chain::merge_commitment::commitment_in;
use svc_chain::muhash::MuHash;
use svc_chain::transaction::Transaction;
use svc_chain::witness::Witness;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::payment_chain::{BLOCKS, SIMNET};
use crate::target::{NONE, Outcome, Target, lenient, strict};
use crate::vectors;

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    // The id is a hash over all levels of parents: at most 16,320 hashes.
    Target::new("chain/raw-block", raw_blocks, raw_block).room(1 << 21, 16),
    Target::new("chain/raw-block-without-witness", plain_blocks, plain_block),
    Target::new("chain/header", headers, header),
    Target::new("chain/raw-headers", raw_headers, raw_header_list).room(1 << 21, 16),
    Target::new("chain/parents", parents, parents_list),
    Target::new("chain/transaction", transactions, transaction),
    Target::new("chain/witness", witnesses, witness),
    Target::new("chain/coinbase-payload", payloads, payload),
    Target::new("chain/muhash", products, product),
    Target::new("chain/merge-commitment", commitments, commitment),
];

/// Reads all bytes with a decoder that leaves what comes behind.
pub(crate) fn whole<T>(
    bytes: &[u8],
    decode: impl FnOnce(&mut Reader<'_>) -> Result<T, SvcError>,
) -> Result<T, SvcError> {
    let mut reader = Reader::new(bytes);
    let value = decode(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// What an encoder writes.
pub(crate) fn written(encode: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::new();
    encode(&mut writer);
    writer.into_vec()
}

fn blocks() -> Vec<Block> {
    let recorded = vectors::recorded_blocks();
    let recorded = recorded
        .iter()
        .filter_map(|raw| Block::from_bytes(raw).ok());
    let with_payments = BLOCKS.iter().filter(|block| block.transactions.len() > 1);
    recorded.chain(with_payments.take(2).cloned()).collect()
}

fn plain_blocks() -> Vec<Vec<u8>> {
    blocks().iter().map(Block::to_bytes).collect()
}

fn raw_blocks() -> Vec<Vec<u8>> {
    let mut all = plain_blocks();
    for (block, witness) in blocks().into_iter().zip(witnesses()) {
        let witness = Some(witness);
        all.push(WitnessedBlock { block, witness }.to_bytes());
    }
    all
}

fn raw_block(bytes: &[u8]) -> Outcome {
    strict(bytes, WitnessedBlock::from_bytes(bytes), |read| {
        read.block.hash();
        read.block.header.pre_pow_hash();
        read.block.header.nonce_free_hash();
        read.block.merkle_root();
        read.to_bytes()
    })
}

fn plain_block(bytes: &[u8]) -> Outcome {
    strict(bytes, Block::from_bytes(bytes), Block::to_bytes)
}

fn headers() -> Vec<Vec<u8>> {
    let all = blocks();
    let some = all.iter().chain(BLOCKS.iter().take(3));
    some.map(|block| written(|writer| block.header.encode(writer)))
        .collect()
}

fn raw_headers() -> Vec<Vec<u8>> {
    let all = blocks();
    let witnesses = witnesses();
    let headers: Vec<HashedHeader> = all
        .iter()
        .zip(witnesses.into_iter().map(Some).chain([None, None]))
        .map(|(block, witness)| HashedHeader::new(block.header.clone(), witness))
        .collect();
    headers.chunks(2).map(write_headers).collect()
}

fn raw_header_list(bytes: &[u8]) -> Outcome {
    strict(bytes, read_headers(bytes), |read| write_headers(read))
}

fn header(bytes: &[u8]) -> Outcome {
    strict(bytes, whole(bytes, Header::decode), |header| {
        written(|writer| header.encode(writer))
    })
}

/// Parents over all levels that are compressed again.
const MAX_COMPRESSED: usize = 64;

fn parents() -> Vec<Vec<u8>> {
    let all = blocks();
    all.iter()
        .map(|block| written(|writer| block.header.parents.encode(writer)))
        .collect()
}

fn parents_list(bytes: &[u8]) -> Outcome {
    strict(bytes, whole(bytes, Parents::decode), |parents| {
        assert!(parents.expanded().count() == parents.levels(), "levels");
        if parents.expanded().map(<[Hash32]>::len).sum::<usize>() <= MAX_COMPRESSED {
            let levels: Vec<Vec<Hash32>> = parents.expanded().map(<[Hash32]>::to_vec).collect();
            let again = Parents::from_levels(&levels);
            assert!(again.is_ok_and(|again| again == *parents), "other runs");
        }
        written(|writer| parents.encode(writer))
    })
}

fn transactions() -> Vec<Vec<u8>> {
    let all = blocks();
    let of_blocks = all.iter().flat_map(|block| &block.transactions);
    let proved = vectors::proved_transactions();
    of_blocks
        .map(Transaction::to_bytes)
        .chain(proved.into_iter().map(|(raw, _)| raw).take(3))
        .collect()
}

fn transaction(bytes: &[u8]) -> Outcome {
    strict(bytes, Transaction::from_bytes(bytes), |transaction| {
        transaction.id();
        transaction.hash();
        let actions = svc_consensus::rules::body_rules::shielded_actions(transaction);
        mass::compute_mass(transaction, actions);
        mass::transient_mass(transaction);
        transaction.to_bytes()
    })
}

fn witnesses() -> Vec<Vec<u8>> {
    let all = blocks();
    let mut made: Vec<Vec<u8>> = all.iter().filter_map(witness_of).collect();
    if let (Some(outer), Some(inner)) = (all.first(), made.first().cloned()) {
        made.extend(nested(outer, &inner));
    }
    made
}

fn witness_of(block: &Block) -> Option<Vec<u8>> {
    let witness = Witness {
        parent: block.header.clone(),
        coinbase: block.transactions.first()?.clone(),
        branch: vec![block.hash(), block.merkle_root()],
        nesting: 0,
    };
    Some(witness.to_bytes())
}

/// A witness within the parent header of another: the tag in front of the coinbase says that there is one.
fn nested(outer: &Block, inner: &[u8]) -> Option<Vec<u8>> {
    let bytes = witness_of(outer)?;
    let mut other = outer.clone();
    other.transactions.first_mut()?.version ^= 1;
    let other = witness_of(&other)?;
    let coinbase = bytes.iter().zip(&other).position(|(a, b)| a != b)?;
    let (header, rest) = bytes.split_at(coinbase);
    let (_, header) = header.split_last()?;
    Some([header, &[1], inner, rest].concat())
}

fn witness(bytes: &[u8]) -> Outcome {
    // Ids inside are not believed, and a witness within is read over, so bytes may differ and the rest may not.
    let decode = |bytes: &[u8]| {
        Witness::from_bytes(bytes).map(|witness| Witness {
            nesting: 0,
            ..witness
        })
    };
    lenient(
        decode(bytes),
        |witness| {
            witness.branch_holds();
            witness.to_bytes()
        },
        decode,
    )
}

fn payloads() -> Vec<Vec<u8>> {
    let all = blocks();
    let coinbases = all.iter().filter_map(|block| block.transactions.first());
    coinbases
        .map(|coinbase| coinbase.payload.clone())
        .filter(|payload| !payload.is_empty())
        .collect()
}

fn payload(bytes: &[u8]) -> Outcome {
    strict(bytes, CoinbasePayload::decode(bytes), |payload| {
        payload.encode().unwrap_or_default()
    })
}

fn products() -> Vec<Vec<u8>> {
    let mut set = MuHash::new();
    let empty = set.to_bytes().to_vec();
    set.add(b"element");
    vec![empty, set.to_bytes().to_vec()]
}

fn product(bytes: &[u8]) -> Outcome {
    let Ok(array) = <&[u8; 384]>::try_from(bytes) else {
        return NONE;
    };
    strict(bytes, MuHash::from_bytes(array), |set| {
        let mut sum = set.clone();
        sum.combine(set);
        sum.add(b"more");
        sum.finalize();
        set.to_bytes().to_vec()
    })
}

fn commitments() -> Vec<Vec<u8>> {
    let Some(profile) = SIMNET.as_ref() else {
        return Vec::new();
    };
    let tags = &profile.merge_mining_tags;
    let tags = [tags.form0.as_bytes(), tags.form1.as_bytes()];
    let digest = "b657dc4e6ee9059b653b0fd0b7a55e6be2bc11e838ea72928a0b931b4d23797b";
    tags.iter()
        .map(|tag| [b"before ", &tag[..], digest.as_bytes(), b" behind"].concat())
        .collect()
}

fn commitment(bytes: &[u8]) -> Outcome {
    let found = SIMNET
        .as_ref()
        .is_some_and(|profile| commitment_in(profile, bytes));
    if found { Outcome::Taken } else { NONE }
}
