//! Sender's copy: the part of an output that its sender's outgoing viewing key may open (specification shielded 1.3).

use orchard::Note;
use orchard::keys::OutgoingViewingKey;
use orchard::note_encryption::OrchardDomain;
use orchard::value::ValueCommitment;
use svc_codec::error::SvcError;
use zcash_note_encryption::try_output_recovery_with_ovk;

use crate::bundle::Action;
use crate::full_output::FullOutput;

/// Whether the outgoing viewing key reads `note` back from the action. False for a value commitment that is no point.
///
/// Error: `shielded/bad-field`.
pub fn is_readable(
    action: &Action,
    note: &Note,
    ovk: &OutgoingViewingKey,
) -> Result<bool, SvcError> {
    let sealed = FullOutput::from_action(action)?;
    let domain = OrchardDomain::for_compact_action(&sealed.compact);
    let Some(cv) = ValueCommitment::from_bytes(&action.cv_net).into_option() else {
        return Ok(false);
    };
    let read = try_output_recovery_with_ovk(&domain, ovk, &sealed, &cv, &action.out_ciphertext);
    Ok(read.is_some_and(|(read, _, _)| read == *note))
}
