//! Properties of every raw form: round trip, one encoding per value, no panic on any bytes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::Header;
use svc_chain::header::parents::{ParentRun, Parents};
use svc_chain::header::raw::{HashedHeader, read_headers, write_headers};
use svc_chain::transaction::{Covenant, Transaction, TxInput, TxOutput};
use svc_chain::uint256::U256;
use svc_chain::witness::Witness;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{HEADERS_PER_CALL, MAX_EXPANDED_PARENTS, MAX_TX_PAYLOAD_LEN};
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

fn hash() -> impl Strategy<Value = Hash32> {
    any::<[u8; 32]>().prop_map(Hash32)
}

fn parents() -> impl Strategy<Value = Parents> {
    // Few distinct levels, so that runs of equal ones occur.
    let pool = vec(vec(hash(), 0..3), 1..4);
    (pool, vec(any::<prop::sample::Index>(), 0..12)).prop_map(|(pool, picks)| {
        let levels: Vec<_> = picks.iter().map(|pick| pick.get(&pool).clone()).collect();
        Parents::from_levels(&levels).unwrap()
    })
}

fn header() -> impl Strategy<Value = Header> {
    let hashes = (hash(), hash(), hash(), hash());
    let numbers = (
        any::<u64>(),
        any::<u32>(),
        any::<u64>(),
        any::<u64>(),
        any::<[u64; 3]>(),
        any::<u64>(),
    );
    (any::<u16>(), parents(), hashes, numbers).prop_map(|(version, parents, hashes, numbers)| {
        Header {
            version,
            parents,
            hash_merkle_root: hashes.0,
            accepted_id_merkle_root: hashes.1,
            utxo_commitment: hashes.2,
            timestamp_ms: numbers.0,
            bits: numbers.1,
            nonce: numbers.2,
            daa_score: numbers.3,
            blue_work: U256([numbers.4[0], numbers.4[1], numbers.4[2], 0]),
            blue_score: numbers.5,
            pruning_point: hashes.3,
        }
    })
}

fn bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..max)
}

fn input(version: u16) -> impl Strategy<Value = TxInput> {
    let compute = if version == 0 {
        0..=255_u16
    } else {
        0..=u16::MAX
    };
    (hash(), any::<u32>(), bytes(20), any::<u64>(), compute).prop_map(
        |(txid, index, script, sequence, compute)| TxInput {
            txid,
            index,
            script,
            sequence,
            compute,
        },
    )
}

fn output(version: u16) -> impl Strategy<Value = TxOutput> {
    let covenant = prop::option::of((any::<u16>(), hash()));
    (any::<u64>(), any::<u16>(), bytes(50), covenant).prop_map(
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
    )
}

fn transaction() -> impl Strategy<Value = Transaction> {
    (0..4_u16).prop_flat_map(|version| {
        let lists = (
            vec(input(version), 0..3),
            vec(output(version), 0..3),
            bytes(100),
        );
        let rest = (any::<u64>(), any::<[u8; 20]>(), any::<u64>(), any::<u64>());
        (lists, rest).prop_map(move |(lists, rest)| Transaction {
            version,
            inputs: lists.0,
            outputs: lists.1,
            lock_time: rest.0,
            subnetwork_id: rest.1,
            gas: rest.2,
            payload: lists.2,
            storage_mass: rest.3,
        })
    })
}

/// Witnesses of merge-mined blocks.
fn witness() -> impl Strategy<Value = Witness> {
    (header(), transaction(), vec(hash(), 0..4)).prop_map(|(parent, coinbase, branch)| Witness {
        parent,
        coinbase: Transaction {
            inputs: Vec::new(),
            ..coinbase
        },
        branch,
        nesting: 0,
    })
}

fn header_bytes(header: &Header) -> Vec<u8> {
    let mut writer = Writer::new();
    header.encode(&mut writer);
    writer.into_vec()
}

fn header_from(bytes: &[u8]) -> Result<Header, SvcError> {
    let mut reader = Reader::new(bytes);
    let header = Header::decode(&mut reader)?;
    reader.finish()?;
    Ok(header)
}

/// What every codec promises about the bytes of one valid value.
fn check_codec<T: PartialEq + core::fmt::Debug>(
    value: &T,
    encode: impl Fn(&T) -> Vec<u8>,
    decode: impl Fn(&[u8]) -> Result<T, SvcError>,
    flip: u8,
) {
    let bytes = encode(value);
    assert_eq!(&decode(&bytes).unwrap(), value);
    for len in 0..bytes.len() {
        assert!(
            decode(&bytes[..len]).is_err(),
            "accepted only {len} of {} bytes",
            bytes.len()
        );
    }
    let mut longer = bytes.clone();
    longer.push(flip);
    assert!(decode(&longer).is_err(), "accepted a trailing byte");
    for position in 0..bytes.len() {
        let mut mutated = bytes.clone();
        mutated[position] ^= flip;
        if let Ok(other) = decode(&mutated) {
            assert_eq!(encode(&other), mutated, "byte {position} has two encodings");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn headers(header in header(), flip in 1..=u8::MAX) {
        check_codec(&header, header_bytes, header_from, flip);
    }

    #[test]
    fn transactions(transaction in transaction(), flip in 1..=u8::MAX) {
        check_codec(&transaction, Transaction::to_bytes, Transaction::from_bytes, flip);
    }

    #[test]
    fn blocks(header in header(), transactions in vec(transaction(), 0..3), flip in 1..=u8::MAX) {
        check_codec(&Block { header, transactions }, Block::to_bytes, Block::from_bytes, flip);
    }

    #[test]
    fn blocks_with_a_witness(
        header in header(),
        transactions in vec(transaction(), 0..3),
        witness in vec(any::<u8>(), 1..60),
        flip in 1..=u8::MAX,
    ) {
        let block = Block { header, transactions };
        let value = WitnessedBlock { block, witness: Some(witness) };
        prop_assert!(Block::from_bytes(&value.to_bytes()).is_err());
        check_codec(&value, WitnessedBlock::to_bytes, WitnessedBlock::from_bytes, flip);
    }

    #[test]
    fn headers_on_their_own(
        headers in vec((header(), option::of(vec(any::<u8>(), 1..40))), 0..4),
        flip in 1..=u8::MAX,
    ) {
        let value: Vec<HashedHeader> = headers
            .into_iter()
            .map(|(header, witness)| HashedHeader::new(header, witness))
            .collect();
        check_codec(&value, |value| write_headers(value), read_headers, flip);
    }

    #[test]
    fn witnesses(witness in witness(), flip in 1..=u8::MAX) {
        let bytes = witness.to_bytes();
        prop_assert_eq!(&Witness::from_bytes(&bytes).unwrap(), &witness);
        for len in 0..bytes.len() {
            prop_assert!(Witness::from_bytes(&bytes[..len]).is_err(), "{} of {} bytes", len, bytes.len());
        }
        let longer = [bytes.as_slice(), &[flip]].concat();
        prop_assert!(Witness::from_bytes(&longer).is_err());
        for position in 0..bytes.len() {
            let mut mutated = bytes.clone();
            mutated[position] ^= flip;
            // Hash and id inside are read over, so what is read may have had other bytes, but only one value.
            if let Ok(other) = Witness::from_bytes(&mutated)
                && other.nesting == 0
            {
                prop_assert_eq!(&Witness::from_bytes(&other.to_bytes()).unwrap(), &other);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in bytes(600)) {
        let _ = WitnessedBlock::from_bytes(&bytes);
        let _ = Witness::from_bytes(&bytes);
        let _ = Block::from_bytes(&bytes);
        let _ = read_headers(&bytes);
        let _ = Transaction::from_bytes(&bytes);
        let _ = header_from(&bytes);
        if let Ok(payload) = CoinbasePayload::decode(&bytes) {
            prop_assert_eq!(payload.encode().unwrap(), bytes);
        }
    }

    #[test]
    fn coinbase_payloads(
        scores in any::<[u64; 2]>(), root in hash(), version: u16, script in bytes(100), extra in bytes(50), cut: usize,
    ) {
        let payload = CoinbasePayload {
            blue_score: scores[0], subsidy: scores[1], state_root: root, script_version: version, script, extra,
        };
        let bytes = payload.encode().unwrap();
        prop_assert_eq!(CoinbasePayload::decode(&bytes).unwrap(), payload.clone());
        // Extra data has no length of its own, so only a cut into the fields shows.
        let fields = bytes.len() - payload.extra.len();
        let refused = CoinbasePayload::decode(&bytes[..cut % fields]).unwrap_err();
        prop_assert_eq!(refused.code, Code::CoinbasePayloadTooShort);
    }

    #[test]
    fn levels_survive_compression(pool in vec(vec(hash(), 0..3), 1..3), picks in vec(any::<prop::sample::Index>(), 0..40)) {
        let levels: Vec<_> = picks.iter().map(|pick| pick.get(&pool).clone()).collect();
        let parents = Parents::from_levels(&levels).unwrap();
        prop_assert_eq!(parents.levels(), levels.len());
        let expanded: Vec<Vec<Hash32>> = parents.expanded().map(<[Hash32]>::to_vec).collect();
        for (index, level) in levels.iter().enumerate() {
            prop_assert_eq!(parents.level(index).unwrap(), level.as_slice());
        }
        prop_assert_eq!(expanded, levels);
        prop_assert!(parents.level(picks.len()).is_none());
    }
}

#[test]
fn coinbase_payload_bounds() {
    let payload = |script: usize, extra: usize| CoinbasePayload {
        blue_score: 1,
        subsidy: 2,
        state_root: Hash32::ZERO,
        script_version: 0,
        script: vec![7; script],
        extra: vec![8; extra],
    };
    assert!(payload(150, 3).encode().is_ok());
    assert_eq!(
        payload(151, 0).encode().unwrap_err().code,
        Code::CoinbaseScriptTooLong
    );
    assert_eq!(payload(43, 110).encode().unwrap().len(), 204);
    assert_eq!(
        payload(43, 111).encode().unwrap_err().code,
        Code::CoinbasePayloadTooLong
    );
    let mut long = payload(0, 153).encode().unwrap();
    long.push(0);
    assert_eq!(
        CoinbasePayload::decode(&long).unwrap_err().code,
        Code::CoinbasePayloadTooLong
    );
    let mut script = payload(43, 0).encode().unwrap();
    script[50] = 151;
    assert_eq!(
        CoinbasePayload::decode(&script).unwrap_err().code,
        Code::CoinbaseScriptTooLong
    );
}

/// 192 bits are what a header has room for.
#[test]
fn blue_work_of_more_bits_than_a_header_holds_is_refused() {
    let most = (U256::one() << 192) - U256::one();
    assert_eq!(Header::check_blue_work(most).unwrap(), most);
    let error = Header::check_blue_work(most + U256::one()).unwrap_err();
    assert_eq!(error.code.as_str(), "header/blue-work-too-large");
}

#[test]
fn parents_have_one_form() {
    let run = |cumulative_level: u8, count: usize| ParentRun {
        cumulative_level,
        parents: vec![Hash32::ZERO; count],
    };
    let reason = |runs: Vec<ParentRun>| Parents::from_runs(runs).unwrap_err();
    assert_eq!(reason(vec![run(0, 1)]).code, Code::HeaderBadParents);
    assert_eq!(
        reason(vec![run(2, 1), run(2, 2)]).code,
        Code::HeaderBadParents
    );
    assert_eq!(
        reason(vec![run(3, 1), run(2, 2)]).code,
        Code::HeaderBadParents
    );
    assert_eq!(
        reason(vec![run(2, 1), run(3, 1)]).code,
        Code::HeaderBadParents
    );
    assert_eq!(reason(vec![run(255, 65)]).code, Code::HeaderBadParents);
    assert!(Parents::from_runs(vec![run(255, 64)]).is_ok());
    assert_eq!(255 * 64, MAX_EXPANDED_PARENTS);
    assert!(Parents::from_levels(&vec![Vec::new(); 255]).is_ok());
    assert_eq!(
        Parents::from_levels(&vec![Vec::new(); 256])
            .unwrap_err()
            .code,
        Code::HeaderBadParents
    );
}

#[test]
fn promised_lengths_are_refused_before_they_are_allocated() {
    let mut writer = Writer::new();
    writer.u16(0).u32(u32::MAX);
    assert_eq!(
        Transaction::from_bytes(writer.as_slice()).unwrap_err().code,
        Code::CodecCountTooLarge
    );
    let mut writer = Writer::new();
    writer.u16(2).u32(0).u32(0).u64(0).bytes(&[0; 20]).u64(0);
    writer.u32(u32::try_from(MAX_TX_PAYLOAD_LEN).unwrap());
    assert_eq!(
        Transaction::from_bytes(writer.as_slice()).unwrap_err().code,
        Code::CodecUnexpectedEnd
    );
}

#[test]
fn only_raw_form_one_is_a_block_and_only_form_two_has_a_witness() {
    let mut bytes = vec![0; 300];
    for form in [0, 2, 255] {
        bytes[0] = form;
        assert_eq!(
            Block::from_bytes(&bytes).unwrap_err().code,
            Code::CodecVersion
        );
    }
    for (form, code) in [
        (0, Code::CodecVersion),
        (2, Code::CodecNotCanonical),
        (3, Code::CodecVersion),
    ] {
        bytes[0] = form;
        assert_eq!(WitnessedBlock::from_bytes(&bytes).unwrap_err().code, code);
    }
}

#[test]
fn only_so_many_headers_are_read_at_once() {
    let header = Header {
        version: 2,
        parents: Parents::from_levels(&[]).unwrap(),
        hash_merkle_root: Hash32::ZERO,
        accepted_id_merkle_root: Hash32::ZERO,
        utxo_commitment: Hash32::ZERO,
        timestamp_ms: 1,
        bits: 2,
        nonce: 3,
        daa_score: 4,
        blue_work: U256::one(),
        blue_score: 5,
        pruning_point: Hash32::ZERO,
    };
    let mut headers = vec![HashedHeader::new(header, None); HEADERS_PER_CALL];
    let bytes = write_headers(&headers);
    assert_eq!(read_headers(&bytes).unwrap(), headers);
    headers.push(headers[0].clone());
    let error = read_headers(&write_headers(&headers)).unwrap_err();
    assert_eq!(error.code, Code::CodecCountTooLarge);
    // A promise is refused before anything is allocated for it.
    let error = read_headers(&[1, 0, 0, 0, 1]).unwrap_err();
    assert_eq!(error.code, Code::CodecUnexpectedEnd);
}
