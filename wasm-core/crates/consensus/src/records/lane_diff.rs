//! Lane diff: how a chain block changed the live lanes, so that its effect can be undone and redone.

use std::collections::BTreeMap;

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

/// Bytes of the shortest change: key, flags, one tip.
const MIN_CHANGE_LEN: usize = 32 + 1 + 40;

/// The newest tip of one lane (specification consensus 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneTip {
    /// Lane tip.
    pub tip: Hash32,
    /// Blue score of the chain block that last touched the lane.
    pub blue_score: u64,
}

impl LaneTip {
    /// Stored form, version 1.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1);
        self.write(&mut writer);
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/…`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "lane version")?;
        let lane = Self::read(&mut reader)?;
        reader.finish()?;
        Ok(lane)
    }

    /// The two fields alone, as other records hold them.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        Ok(Self {
            tip: reader.hash()?,
            blue_score: reader.u64()?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.hash(&self.tip);
        writer.u64(self.blue_score);
    }
}

/// One lane before and after a chain block; `None` where it does not live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneChange {
    /// After the selected parent.
    pub before: Option<LaneTip>,
    /// After the block.
    pub after: Option<LaneTip>,
}

/// All changes of one chain block by lane key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneDiff(pub BTreeMap<Hash32, LaneChange>);

impl LaneDiff {
    /// The changes that lead from one set of lanes to another.
    pub fn between(before: &BTreeMap<Hash32, LaneTip>, after: &BTreeMap<Hash32, LaneTip>) -> Self {
        let keys = before.keys().chain(after.keys());
        let changes = keys.map(|key| {
            let change = LaneChange {
                before: before.get(key).copied(),
                after: after.get(key).copied(),
            };
            (*key, change)
        });
        Self(
            changes
                .filter(|(_, change)| change.before != change.after)
                .collect(),
        )
    }

    /// The diff that undoes this one.
    pub fn reversed(&self) -> Self {
        let changes = self.0.iter().map(|(key, change)| {
            let LaneChange { before, after } = *change;
            let undo = LaneChange {
                before: after,
                after: before,
            };
            (*key, undo)
        });
        Self(changes.collect())
    }

    /// Stored form, version 1: changes ascending by key, each with a byte that says which of the tips follow (1
    /// before, 2 after).
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.u8(1);
        writer.count_u32(self.0.len());
        for (key, change) in &self.0 {
            writer.hash(key);
            let (before, after) = (change.before, change.after);
            writer.u8(u8::from(before.is_some()) | u8::from(after.is_some()) << 1);
            for lane in [before, after].into_iter().flatten() {
                lane.write(&mut writer);
            }
        }
        writer.into_vec()
    }

    /// Reads the stored form. Errors: `store/corrupt`, `codec/…`.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        crate::corrupt_unless(reader.u8()? == 1, "lane diff version")?;
        let count = reader.count_u32(bytes.len(), MIN_CHANGE_LEN)?;
        let mut changes = BTreeMap::new();
        for _ in 0..count {
            let key = reader.hash()?;
            let ascending = changes.last_key_value().is_none_or(|(last, _)| *last < key);
            crate::corrupt_unless(ascending, "lane diff order")?;
            changes.insert(key, read_change(&mut reader)?);
        }
        reader.finish()?;
        Ok(Self(changes))
    }
}

fn read_change(reader: &mut Reader<'_>) -> Result<LaneChange, SvcError> {
    let present = reader.u8()?;
    crate::corrupt_unless((1..=3).contains(&present), "lane diff")?;
    let mut tip = |bit: u8| -> Result<Option<LaneTip>, SvcError> {
        (present & bit != 0)
            .then(|| LaneTip::read(reader))
            .transpose()
    };
    Ok(LaneChange {
        before: tip(1)?,
        after: tip(2)?,
    })
}
