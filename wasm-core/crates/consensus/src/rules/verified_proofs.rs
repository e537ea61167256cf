//! Cache of payments whose proofs and signatures were found to hold (specification consensus 8.2).

use std::rc::Rc;

use svc_codec::hash32::Hash32;
use svc_codec::limits::VERDICT_CACHE;
use svc_shielded::bundle::BundleFormat;

use crate::records::record_cache::RecordCache;

/// The newest of them by id, per form of their bundles: the form decides what the proof is about.
pub(crate) struct VerifiedProofs {
    plain: RecordCache<()>,
    named_anchor: RecordCache<()>,
}

impl Default for VerifiedProofs {
    fn default() -> Self {
        Self {
            plain: RecordCache::new(VERDICT_CACHE),
            named_anchor: RecordCache::new(VERDICT_CACHE),
        }
    }
}

impl VerifiedProofs {
    /// Whether a payment is remembered under a form.
    pub(crate) fn contains(&self, txid: &Hash32, format: BundleFormat) -> bool {
        self.of(format).get(txid).is_some()
    }

    /// Remembers a payment under a form.
    pub(crate) fn insert(&self, txid: Hash32, format: BundleFormat) {
        self.of(format).insert(txid, Rc::new(()));
    }

    fn of(&self, format: BundleFormat) -> &RecordCache<()> {
        match format {
            BundleFormat::Plain => &self.plain,
            BundleFormat::NamedAnchor => &self.named_anchor,
        }
    }
}
