//! The built-in profiles, strictness of the reader, and the canonical form.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use svc_chain::profile::{Profile, active};
use svc_codec::code::Code;

fn file(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn simnet() -> Value {
    serde_json::from_str(&file("profiles/simnet.json")).unwrap()
}

fn read(value: &Value) -> Result<Profile, Code> {
    Profile::from_json(&value.to_string()).map_err(|error| error.code)
}

/// Every path to a field, as JSON pointers.
fn paths(value: &Value, prefix: &str, found: &mut Vec<String>) {
    for (key, field) in value.as_object().into_iter().flatten() {
        let path = format!("{prefix}/{key}");
        paths(field, &path, found);
        found.push(path);
    }
}

#[test]
fn built_in_files_are_complete_and_canonical_text_is_stable() {
    for name in Profile::built_in_names() {
        let text = file(&format!("profiles/{name}.json"));
        let profile = Profile::built_in(name).unwrap();
        let canonical = profile.canonical_json();
        let (file, again): (Value, Value) = (
            serde_json::from_str(&text).unwrap(),
            serde_json::from_str(&canonical).unwrap(),
        );
        assert_eq!(file, again, "{name} leaves fields to the defaults");
        assert!(!canonical.contains([' ', '\n']) || profile.genesis.coinbase_text.contains(' '));
        let reread = Profile::from_json(&canonical).unwrap();
        assert_eq!(reread.digest(), profile.digest());
        assert_eq!(reread, profile);
    }
    assert!(Profile::built_in("no-such-network").is_none());
}

#[test]
fn canonical_keys_are_sorted_at_every_level() {
    fn check(value: &Value, text: &str) {
        let Some(fields) = value.as_object() else {
            return;
        };
        let mut keys: Vec<&String> = fields.keys().collect();
        keys.sort();
        let places: Vec<usize> = keys
            .iter()
            .map(|key| text.find(&format!("\"{key}\":")).unwrap())
            .collect();
        assert!(places.is_sorted(), "{keys:?}");
    }
    let canonical = Profile::built_in("simnet").unwrap().canonical_json();
    let value: Value = serde_json::from_str(&canonical).unwrap();
    assert!(canonical.starts_with("{\"activations\":{\"boundMergeMining\":0,"));
    for key in ["activations", "devFee", "personalisation", "ports"] {
        let nested = value[key].to_string();
        let start = canonical.find(&format!("\"{key}\":")).unwrap();
        check(
            &value[key],
            &canonical[start..start + nested.len() + key.len() + 3],
        );
    }
}

#[test]
fn digest_depends_on_the_values_and_not_on_the_layout() {
    let profile = simnet();
    let digest = read(&profile).unwrap().digest();
    let pretty = serde_json::to_string_pretty(&profile).unwrap();
    assert_eq!(Profile::from_json(&pretty).unwrap().digest(), digest);
    let mut other = profile.clone();
    other["wallet"]["slack"] = json!(3);
    assert_ne!(read(&other).unwrap().digest(), digest);
}

#[test]
fn fields_with_defaults_may_be_left_out_and_no_others() {
    let profile = simnet();
    let defaults: Value = serde_json::from_str(&file("profiles/defaults.json")).unwrap();
    let mut all = Vec::new();
    paths(&profile, "", &mut all);
    assert!(all.len() > 80);
    for path in all {
        let mut less = profile.clone();
        let (parent, key) = path.rsplit_once('/').unwrap();
        less.pointer_mut(parent)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .remove(key);
        let complete = defaults.pointer(&path).is_some_and(|default| {
            default.as_object().is_none_or(|fields| {
                fields.len() == profile.pointer(&path).unwrap().as_object().unwrap().len()
            })
        });
        // The default of this one is another field.
        let complete = complete || path == "/activations/boundMergeMining";
        match read(&less) {
            Ok(_) => assert!(complete, "{path} was not missed"),
            // A default may break a rule that the value kept.
            Err(code) => assert!(
                !complete || code == Code::ProfileBadValue,
                "{path}: {code:?}"
            ),
        }
    }
}

#[test]
fn unknown_fields_are_refused_at_every_level() {
    let profile = simnet();
    let mut objects = Vec::new();
    paths(&profile, "", &mut objects);
    objects.retain(|path| profile.pointer(path).unwrap().is_object());
    objects.push(String::new());
    assert!(objects.len() > 10);
    for path in objects {
        let mut more = profile.clone();
        more.pointer_mut(&path).unwrap()["surprise"] = json!(1);
        assert_eq!(read(&more).unwrap_err(), Code::ProfileInvalid, "{path}");
    }
}

#[test]
fn values_of_the_wrong_form_are_refused() {
    let cases = [
        (
            "/emission/preDeflationarySubsidySompi",
            json!(5),
            Code::ProfileInvalid,
        ),
        (
            "/emission/preDeflationarySubsidySompi",
            json!("05"),
            Code::ProfileInvalid,
        ),
        (
            "/emission/preDeflationarySubsidySompi",
            json!("-5"),
            Code::ProfileInvalid,
        ),
        (
            "/activations/securityFork",
            json!("never"),
            Code::ProfileInvalid,
        ),
        ("/activations/securityFork", json!(-1), Code::ProfileInvalid),
        (
            "/activations/securityFork",
            json!(1.5),
            Code::ProfileInvalid,
        ),
        (
            "/personalisation/sighash",
            json!("too short"),
            Code::ProfileInvalid,
        ),
        (
            "/mergeMiningTags/form0",
            json!("five5"),
            Code::ProfileInvalid,
        ),
        ("/devFee/recipientHex", json!("00"), Code::ProfileInvalid),
        ("/targetTimePerBlockMs", json!(300), Code::ProfileBadValue),
        ("/targetTimePerBlockMs", json!(0), Code::ProfileBadValue),
        ("/finalityDepth", json!(27000), Code::ProfileBadValue),
        ("/shieldedAnchorDepth", json!(27000), Code::ProfileBadValue),
        ("/pruningDepth", json!(70200), Code::ProfileBadValue),
        (
            "/activations/commitmentBan",
            json!(null),
            Code::ProfileBadValue,
        ),
        (
            "/activations/commitmentBan",
            json!(1),
            Code::ProfileBadValue,
        ),
        (
            "/activations/boundMergeMining",
            json!(1),
            Code::ProfileBadValue,
        ),
        (
            "/activations/boundMergeMining",
            json!(null),
            Code::ProfileBadValue,
        ),
        ("/minimumWork", json!(5), Code::ProfileInvalid),
        ("/minimumWork", json!("007"), Code::ProfileInvalid),
        ("/minimumWork", json!("-1"), Code::ProfileInvalid),
        ("/minimumWork", json!("0x10"), Code::ProfileInvalid),
        // Nobody judges work there.
        ("/minimumWork", json!("1"), Code::ProfileBadValue),
        (
            "/activations/mergedMining",
            json!(9_007_199_254_740_992_u64),
            Code::ProfileBadValue,
        ),
        ("/activations/toccata", json!(1), Code::ProfileBadValue),
        ("/activations/toccata", json!(null), Code::ProfileBadValue),
        ("/mergesetSizeLimit", json!(4_097), Code::ProfileBadValue),
        // F + 2 merge + 4 mergeset k + 2 k + 2 = 108,038, the pruning depth is 108,000.
        ("/mergesetSizeLimit", json!(800), Code::ProfileBadValue),
        ("/hrp", json!("SVC"), Code::ProfileBadValue),
        ("/networkName", json!("a b"), Code::ProfileBadValue),
        (
            "/genesis/coinbaseText",
            json!("line\nbreak"),
            Code::ProfileBadValue,
        ),
        ("/genesis/bits", json!(0), Code::ProfileBadValue),
        ("/genesis/nonce", json!(3), Code::ProfileGenesisMismatch),
        (
            "/genesis/coinbaseText",
            json!("other"),
            Code::ProfileGenesisMismatch,
        ),
    ];
    for (path, value, code) in cases {
        let mut profile = simnet();
        *profile.pointer_mut(path).unwrap() = value.clone();
        assert_eq!(read(&profile).map(|_| ()), Err(code), "{path} = {value}");
    }
    let mut widest = simnet();
    widest["mergesetSizeLimit"] = json!(799);
    assert_eq!(read(&widest).unwrap().mergeset_size_limit, 799);
    assert_eq!(
        Profile::from_json(&" ".repeat(70_000)).unwrap_err().code,
        Code::ProfileTooLarge
    );
    assert_eq!(
        Profile::from_json("[]").unwrap_err().code,
        Code::ProfileInvalid
    );
}

/// The digest under which stores and wallets of this network were made before fields were added.
#[test]
fn a_field_of_a_later_day_that_holds_its_default_does_not_change_the_digest() {
    let digest = Profile::built_in("simnet").unwrap().digest();
    let expected = "646032ede59038f32a202d6880cd75db91cdb2f5b9a3eba82967487aa1f45d35";
    assert_eq!(digest.to_string(), expected);
    let mut other = simnet();
    other["skipProofOfWork"] = json!(false);
    let before = read(&other).unwrap().digest();
    other["minimumWork"] = json!("1");
    assert_ne!(read(&other).unwrap().digest(), before);
    let mut other = simnet();
    other["activations"]["securityFork"] = json!(3);
    let unbound = read(&other).unwrap().digest();
    other["activations"]["boundMergeMining"] = json!(3);
    assert_ne!(read(&other).unwrap().digest(), unbound);
}

/// Files from before the height had a name mean that of the security fork, never included.
#[test]
fn merge_mining_is_bound_from_the_security_fork_where_a_file_does_not_say() {
    for fork in [json!(0), json!(700), Value::Null] {
        let mut older = simnet();
        older["activations"]["securityFork"] = fork.clone();
        older["activations"]["commitmentBan"] = fork.clone();
        let heights = older["activations"].as_object_mut().unwrap();
        heights.remove("boundMergeMining");
        let profile = read(&older).unwrap();
        let heights = &profile.activations;
        assert_eq!(heights.bound_merge_mining, heights.security_fork);
        assert_eq!(heights.bound_merge_mining, fork.as_u64());
        // The digest is that of the file that says it.
        older["activations"]["boundMergeMining"] = fork;
        assert_eq!(read(&older).unwrap().digest(), profile.digest());
    }
}

#[test]
fn the_built_in_networks_bind_merge_mining_from_their_first_block() {
    for name in Profile::built_in_names() {
        let heights = Profile::built_in(name).unwrap().activations;
        let early = (heights.bound_merge_mining, heights.commitment_ban);
        assert_eq!(early, (Some(0), Some(0)), "{name}");
        assert_eq!(heights.merged_mining, Some(0), "{name}");
    }
}

#[test]
fn minimum_work_is_a_decimal_number_of_any_size() {
    let mut value = simnet();
    value["skipProofOfWork"] = json!(false);
    let most = format!("{}", svc_chain::uint256::U256::MAX);
    for text in ["0", "1", most.as_str()] {
        value["minimumWork"] = json!(text);
        let profile = read(&value).unwrap();
        assert_eq!(profile.minimum_work.0.to_string(), text);
        let again = Profile::from_json(&profile.canonical_json()).unwrap();
        assert_eq!(again, profile);
    }
    value["minimumWork"] = json!(format!("{most}0"));
    assert_eq!(read(&value).unwrap_err(), Code::ProfileInvalid);
}

#[test]
fn heights() {
    assert!(active(Some(0), 0));
    assert!(!active(Some(5), 4));
    assert!(active(Some(5), 5));
    assert!(!active(None, u64::MAX));
}

#[test]
fn ports_follow_from_grpc_when_left_open() {
    let mut value = simnet();
    value["ports"]["http"] = Value::Null;
    assert_eq!(read(&value).unwrap().http_port(), 19850);
    assert_eq!(Profile::built_in("mainnet").unwrap().http_port(), 19810);
}

#[test]
fn the_profile_for_pruning_tests_loads() {
    let profile = Profile::from_json(&file("../tests/profiles/prune.json")).unwrap();
    assert_eq!(
        (
            profile.pruning_depth,
            profile.finality_depth,
            profile.merge_depth
        ),
        (3_400, 500, 100)
    );
    assert_eq!(
        (profile.max_shielded_anchor_age, profile.pruning_proof_m),
        (400, 50)
    );
}
