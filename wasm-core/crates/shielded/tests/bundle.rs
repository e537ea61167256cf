//! The bundle's bytes and the sighash (specification shielded 3, 4 and 22).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;
use sha2::{Digest, Sha256};
use svc_chain::subnetwork::NATIVE;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_shielded::bundle::{
    Action, Bundle, BundleFormat, action_count, check_layout, payload_fee, proof_len, wire_len,
};
use svc_shielded::fee::{node_minimum, wallet_fee};
use svc_shielded::sighash::{WALLET_TX_CONTEXT, sighash, tx_context};

use crate::common::{array, bytes, hash, list, load, number, personal, small, text};

/// Action `s` of the synthetic bundle: each field filled with the next byte.
fn synthetic_action(s: u8) -> Action {
    Action {
        nullifier: Hash32([s; 32]),
        rk: [s + 1; 32],
        cmx: Hash32([s + 2; 32]),
        cv_net: [s + 3; 32],
        epk: [s + 4; 32],
        enc_ciphertext: [s + 5; 580],
        out_ciphertext: [s + 6; 80],
        signature: [s + 7; 64],
    }
}

fn synthetic(actions: usize) -> Bundle {
    Bundle {
        flags: 3,
        value_balance: 7,
        anchor: Hash32([1; 32]),
        binding_signature: [0xcd; 64],
        actions: (0..actions)
            .map(|index| synthetic_action(index as u8))
            .collect(),
        proof: vec![0xab; proof_len(actions)],
        anchor_block: None,
    }
}

fn with_anchor_block(actions: usize) -> Bundle {
    Bundle {
        flags: 11,
        anchor_block: Some(Hash32([0x5b; 32])),
        ..synthetic(actions)
    }
}

fn refusal(payload: &[u8], format: BundleFormat) -> Code {
    Bundle::decode(payload, format).unwrap_err().code
}

#[test]
fn sighash_vectors() {
    let vector = load("shielded-bundle.json");
    let domain = hash(&vector["domain"]);
    assert_eq!(array::<38>(&vector["context"]), WALLET_TX_CONTEXT);
    for case in list(&vector["sighash"]) {
        let bundle = synthetic(small(&case["actions"]));
        let found = sighash(
            &personal(&case["personal"]),
            &domain,
            &bundle,
            &WALLET_TX_CONTEXT,
        );
        assert_eq!(found, hash(&case["hash"]), "{case}");
    }
    let named = &vector["namedAnchor"];
    let bundle = with_anchor_block(small(&named["actions"]));
    assert_eq!(bundle.anchor_block, Some(hash(&named["block"])));
    assert_eq!(
        sighash(
            &personal(&named["personal"]),
            &domain,
            &bundle,
            &WALLET_TX_CONTEXT
        ),
        hash(&named["hash"])
    );
}

#[test]
fn wire_form_of_the_synthetic_bundle() {
    let wire = &load("shielded-bundle.json")["wire"];
    let encoded = synthetic(2).encode();
    assert_eq!(encoded.len(), small(&wire["length"]));
    assert_eq!(encoded[..49], bytes(&wire["head"])[..]);
    assert_eq!(
        hex::encode(&Sha256::digest(&encoded)),
        text(&wire["sha256"])
    );
    assert_eq!(
        Bundle::decode(&encoded, BundleFormat::Plain).unwrap(),
        synthetic(2)
    );
    let named = with_anchor_block(2);
    assert_eq!(
        Bundle::decode(&named.encode(), BundleFormat::NamedAnchor).unwrap(),
        named
    );
}

#[test]
fn lengths_and_fees() {
    let vector = load("shielded-bundle.json");
    for case in list(&vector["wireLen"]) {
        let actions = small(&case["actions"]);
        assert_eq!(
            wire_len(actions, BundleFormat::Plain),
            small(&case["plain"])
        );
        assert_eq!(
            wire_len(actions, BundleFormat::NamedAnchor),
            small(&case["named"])
        );
        assert_eq!(synthetic(actions).encode().len(), small(&case["plain"]));
        assert_eq!(
            with_anchor_block(actions).encode().len(),
            small(&case["named"])
        );
    }
    for case in list(&vector["proofLen"]) {
        assert_eq!(proof_len(small(&case["actions"])), small(&case["length"]));
    }
    for case in list(&vector["fees"]) {
        let actions = small(&case["actions"]);
        assert_eq!(wallet_fee(actions), number::<u64>(&case["wallet"]));
        assert_eq!(
            node_minimum(wire_len(actions, BundleFormat::Plain)),
            number::<u64>(&case["nodeMinimum"])
        );
        assert!(wallet_fee(actions) >= node_minimum(wire_len(actions, BundleFormat::NamedAnchor)));
    }
    assert_eq!(wallet_fee(1), wallet_fee(2));
    assert_eq!(wallet_fee(0), wallet_fee(2));
}

#[test]
fn every_cut_and_every_extra_byte_is_refused() {
    for (bundle, format) in [
        (synthetic(1), BundleFormat::Plain),
        (with_anchor_block(1), BundleFormat::NamedAnchor),
    ] {
        let encoded = bundle.encode();
        for cut in 0..encoded.len() {
            assert_eq!(
                refusal(&encoded[..cut], format),
                Code::CodecUnexpectedEnd,
                "cut at {cut}"
            );
        }
        let longer = [encoded, vec![0]].concat();
        assert_eq!(refusal(&longer, format), Code::CodecTrailingBytes);
    }
}

#[test]
fn flags_follow_the_format() {
    let with_flags = |flags: u8| {
        let mut encoded = synthetic(1).encode();
        encoded[0] = flags;
        encoded
    };
    for flags in 0..4 {
        Bundle::decode(&with_flags(flags), BundleFormat::Plain).unwrap();
        assert_eq!(
            refusal(&with_flags(flags), BundleFormat::NamedAnchor),
            Code::TxAnchorBlockMissing
        );
        assert_eq!(
            refusal(&with_flags(flags | 8), BundleFormat::Plain),
            Code::TxAnchorBlockUnexpected
        );
        assert_eq!(
            refusal(&with_flags(flags | 8), BundleFormat::NamedAnchor),
            Code::CodecUnexpectedEnd
        );
    }
    for format in [BundleFormat::Plain, BundleFormat::NamedAnchor] {
        assert_eq!(refusal(&with_flags(0b0111), format), Code::TxBurnDisabled);
        assert_eq!(refusal(&with_flags(0b1111), format), Code::TxBurnDisabled);
        for bit in 4..8 {
            assert_eq!(
                refusal(&with_flags(3 | 1 << bit), format),
                Code::ShieldedBadFlags,
                "bit {bit}"
            );
        }
    }
}

/// The layout is what a block is refused for, the flags what a payment is not accepted for.
#[test]
fn layout_follows_the_format_and_flags_are_left_to_acceptance() {
    let layout = |bytes: &[u8], format| check_layout(bytes, format).map_err(|error| error.code);
    let flagged = |bundle: Bundle, flags: u8| {
        let mut encoded = bundle.encode();
        encoded[0] = flags;
        encoded
    };
    let (plain, named) = (BundleFormat::Plain, BundleFormat::NamedAnchor);
    for flags in 0..=u8::MAX {
        let bare = flagged(synthetic(2), flags);
        let with_block = flagged(with_anchor_block(2), flags);
        let expected = if flags & 4 != 0 {
            let burn = Err(Code::TxBurnDisabled);
            [burn, burn, burn, burn]
        } else if flags & 8 != 0 {
            // Before the fork the bit carries no field.
            let (short, long) = (Code::CodecUnexpectedEnd, Code::CodecTrailingBytes);
            [Ok(2), Err(long), Err(short), Ok(2)]
        } else {
            let long = Err(Code::CodecTrailingBytes);
            [Ok(2), long, Ok(2), long]
        };
        let found = [
            layout(&bare, plain),
            layout(&with_block, plain),
            layout(&bare, named),
            layout(&with_block, named),
        ];
        assert_eq!(found, expected, "{flags:#010b}");
        for (bytes, format) in [(&bare, plain), (&with_block, named), (&bare, named)] {
            let accepted =
                check_layout(bytes, format).is_ok() && payload_fee(bytes, format).is_ok();
            assert_eq!(
                accepted,
                Bundle::decode(bytes, format).is_ok(),
                "{flags:#010b}"
            );
        }
    }
    assert_eq!(layout(&synthetic(0).encode(), plain), Ok(0));
    assert_eq!(payload_fee(&synthetic(1).encode(), plain).unwrap(), 7);
    let fork_free = payload_fee(&synthetic(1).encode(), named).unwrap_err();
    assert_eq!(fork_free.code, Code::TxAnchorBlockMissing);
}

#[test]
fn length_prefixes_are_checked_before_anything_is_allocated() {
    let mut encoded = synthetic(1).encode();
    encoded[44] = 63;
    assert_eq!(
        refusal(&encoded, BundleFormat::Plain),
        Code::ShieldedBadBindingLength
    );
    let mut encoded = synthetic(1).encode();
    encoded[109..113].copy_from_slice(&513_u32.to_be_bytes());
    assert_eq!(
        refusal(&encoded, BundleFormat::Plain),
        Code::ShieldedTooManyActions
    );
    assert_eq!(action_count(&encoded), None);
    encoded[109..113].copy_from_slice(&512_u32.to_be_bytes());
    assert_eq!(
        refusal(&encoded, BundleFormat::Plain),
        Code::CodecUnexpectedEnd
    );
    assert_eq!(action_count(&encoded), Some(512));
    assert_eq!(action_count(&encoded[..112]), None);
    let mut encoded = synthetic(1).encode();
    encoded[113 + 884..117 + 884].copy_from_slice(&u32::MAX.to_be_bytes());
    assert_eq!(
        refusal(&encoded, BundleFormat::Plain),
        Code::CodecUnexpectedEnd
    );
}

#[test]
fn fee_is_the_value_balance_and_never_negative() {
    assert_eq!(synthetic(1).fee().unwrap(), 7);
    let entering = Bundle {
        value_balance: -1,
        ..synthetic(1)
    };
    assert_eq!(entering.fee().unwrap_err().code, Code::TxNegativeFee);
    assert_eq!(
        Bundle::decode(&entering.encode(), BundleFormat::Plain)
            .unwrap()
            .value_balance,
        -1
    );
}

#[test]
fn context_of_a_transaction() {
    let mut transaction = Transaction {
        version: 2,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: NATIVE,
        gas: 0,
        payload: synthetic(1).encode(),
        storage_mass: 0,
    };
    assert_eq!(tx_context(&transaction), WALLET_TX_CONTEXT);
    transaction.lock_time = 0x0102;
    transaction.gas = 0x03;
    transaction.subnetwork_id[0] = 4;
    let context = tx_context(&transaction);
    assert_eq!(
        (context[2], context[22], context[23], context[30]),
        (4, 2, 1, 3)
    );
}

#[test]
fn sighash_of_the_recorded_payments() {
    let vector = load("reference/payments.json");
    for payment in list(&vector["payments"]) {
        let payload = bytes(&payment["payload"]);
        let bundle = Bundle::decode(&payload, BundleFormat::Plain).unwrap();
        assert_eq!(bundle.encode(), payload);
        assert_eq!(bundle.actions.len(), small(&payment["actions"]));
        assert_eq!(bundle.fee().unwrap(), number::<u64>(&payment["fee"]));
        let found = sighash(
            &personal(&vector["personal"]),
            &hash(&vector["genesis"]),
            &bundle,
            &WALLET_TX_CONTEXT,
        );
        assert_eq!(found, hash(&payment["sighash"]));
    }
}

proptest! {
    #[test]
    fn what_decodes_has_a_layout_and_a_layout_with_its_flags_decodes(
        position in 0_usize..4_800, byte in any::<u8>(), named in any::<bool>(),
    ) {
        let format = BundleFormat::for_fork(named);
        let bundle = if named { with_anchor_block(1) } else { synthetic(1) };
        let mut payload = bundle.encode();
        let position = position % payload.len();
        payload[position] = byte;
        let decoded = Bundle::decode(&payload, format)
            .and_then(|bundle| Ok((bundle.actions.len(), bundle.fee()?)));
        let judged = check_layout(&payload, format)
            .and_then(|count| Ok((count, payload_fee(&payload, format)?)));
        match (decoded, judged) {
            (Ok(decoded), Ok(judged)) => prop_assert_eq!(decoded, judged),
            (Err(_), Err(_)) => {}
            (decoded, judged) => prop_assert!(false, "{decoded:?} {judged:?}"),
        }
    }

    #[test]
    fn decoding_any_bytes_gives_a_bundle_that_encodes_to_them_or_an_error(
        payload in proptest::collection::vec(any::<u8>(), 0..400), named in any::<bool>(),
    ) {
        if let Ok(bundle) = Bundle::decode(&payload, BundleFormat::for_fork(named)) {
            prop_assert_eq!(bundle.encode(), payload);
        }
    }

    #[test]
    fn the_sighash_covers_every_byte_of_the_effects(position in 0_usize..113 + 820, bit in 0_u8..8) {
        let mut encoded = synthetic(1).encode();
        // Binding signature and count are not effects; bits 2 to 7 of the flags change the form.
        prop_assume!(!(41..113).contains(&position) && (position > 0 || bit < 2));
        encoded[position] ^= 1 << bit;
        let changed = Bundle::decode(&encoded, BundleFormat::Plain).unwrap();
        let digest = |bundle: &Bundle| sighash(b"test_sighash_tag", &Hash32::ZERO, bundle, &WALLET_TX_CONTEXT);
        prop_assert_ne!(digest(&changed), digest(&synthetic(1)));
    }
}
