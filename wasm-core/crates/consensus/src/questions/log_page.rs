//! Pages of the anchor log for peers that lack them ([`crate::imported_log`] is the other side).

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::MAX_PAGE_BYTES;
use svc_evidence::log_page::{LogPage, PageEntry};
use svc_evidence::membership::{LogPlace, Membership};

use crate::questions::served_log::ServedLog;
use crate::records::chain::Chain;
use crate::store::Store;

/// The page that begins at `first` in the log of `count` entries whose last one is `base`; `None` where there is no such entry, the
/// chain has no such log, or too little is held.
///
/// # Errors
/// `engine/not-imported`, `store/*`.
pub fn log_page<S: Store>(
    chain: &Chain<S>,
    base: &Hash32,
    count: u64,
    first: u64,
) -> Result<Option<Vec<u8>>, SvcError> {
    chain.records.require_state()?;
    let log = ServedLog::after(chain, &chain.records.virtual_record()?.sink)?;
    let last = count.checked_sub(1).filter(|_| count <= log.count);
    let last = last.map(|last| log.entry(last)).transpose()?.flatten();
    let is_ours = last.is_some_and(|entry| entry.block == *base);
    let place = LogPlace::of(first, count).filter(|_| is_ours);
    let most = LogPage::max_height(first, count);
    let (Some(place), Some(most)) = (place, most) else {
        return Ok(None);
    };
    let (parent, entries) = entries_from(&log, first, 1 << most)?;
    let Some(height) = entries.len().checked_ilog2() else {
        return Ok(None);
    };
    let mut page = LogPage {
        first,
        parent,
        entries,
        path: Vec::new(),
    };
    page.entries.truncate(1 << height);
    let above = Membership::siblings(first >> height, place.height - height);
    for (level, position) in above {
        let Some(node) = log.node(height + level, position)? else {
            return Ok(None);
        };
        page.path.push(node);
    }
    Ok(Some(page.encode()))
}

/// At most so many entries, fewer where the scan records that tell their scores come to more than a page of those, or where one is
/// not held; and the parent of the first.
fn entries_from<S: Store>(
    log: &ServedLog<'_, S>,
    first: u64,
    most: u64,
) -> Result<(Hash32, Vec<PageEntry>), SvcError> {
    let mut parent = None;
    let mut entries = Vec::new();
    let mut bytes = 0;
    for place in first..first + most {
        let Some((entry, read)) = log.entry_read(place)? else {
            break;
        };
        parent = parent.or(Some(entry.parent));
        entries.push(PageEntry {
            block: entry.block,
            tree_root: entry.tree_root,
            blue_score: entry.blue_score,
        });
        bytes += read;
        if bytes > MAX_PAGE_BYTES {
            break;
        }
    }
    Ok((parent.unwrap_or_default(), entries))
}
