/** Error registry, rows of the air gap: what a device that signs says of the codes that were shown to it. */
import type { CodeOf } from "../generated/codes.ts";
import { caller, type ErrorInfo } from "./errorInfo.ts";

/** The registry rows of area `airgap`. */
export const airgapErrors: { readonly [C in CodeOf<"airgap">]: ErrorInfo } = {
  "airgap/bad-alphas": caller(
    "The prepared payment is damaged: randomiser {index} names no action, or not in order. Nothing was signed.",
  ),
  "airgap/bad-bundle": caller("The prepared payment is damaged: {reason}. Nothing was signed."),
  "airgap/bad-frame": caller("This is no code of a payment: {reason}."),
  "airgap/bad-version": caller(
    "The message is of version {found}; this program reads version {expected}. Update the older of the two.",
  ),
  "airgap/camera": caller("The camera cannot be used: {reason}. Choose images or paste the text."),
  "airgap/cbor-count": caller(
    "The message is damaged at byte {offset}: {found} items; {min} to {max} are allowed.",
  ),
  "airgap/cbor-end": caller(
    "The message is cut short: {needed} bytes are needed, {remaining} left.",
  ),
  "airgap/cbor-form": caller("The message is damaged at byte {offset}: not in its one valid form."),
  "airgap/cbor-key": caller(
    "The message is damaged at byte {offset}: field {found} stands where {expected} belongs.",
  ),
  "airgap/cbor-length": caller(
    "The message is damaged at byte {offset}: {found} bytes stand where {max} belong.",
  ),
  "airgap/cbor-range": caller(
    "The message is damaged at byte {offset}: {found} is more than {max}.",
  ),
  "airgap/cbor-trailing": caller("The message is damaged: {remaining} bytes follow its end."),
  "airgap/cbor-type": caller("The message is damaged at byte {offset}: not a {expected}."),
  "airgap/frame-checksum": caller("A code was misread. Show it again."),
  "airgap/message-checksum": caller(
    "The codes do not fit together: one of them is not of this message. Begin again.",
  ),
  "airgap/message-too-long": caller("The message has {length} bytes; a payment has at most {max}."),
  "airgap/no-code": caller("No QR code was found in the image."),
  "airgap/other-message": caller(
    "This code belongs to another message. Begin again to read that one.",
  ),
  "airgap/too-many-frames": caller(
    "The message claims to have {count} parts; at most {max} are read.",
  ),
  "airgap/unknown-network": caller(
    "The payment is for a network that this page does not know ({network}). Nothing was signed.",
  ),
  "airgap/wrong-type": caller(
    "This code holds another kind of message ({found}). Show the one of type {expected}.",
  ),
};
