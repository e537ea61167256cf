/** A page of somebody who prepares payments with a viewing key: it shows a daemon's answer as codes, and reads a device's out of pictures. */
import encodeQr from "qr";
import { decodeQR } from "qr/decode.js";
import { airgapCodes, AirgapSignatures, type AirgapCodes } from "@svc/shared/signer/airgapCodes.ts";
import type { PrepareQuestion } from "@svc/shared/signer/prepareAnswer.ts";
import type { SubmitBody } from "@svc/shared/signer/walletDaemon.ts";

/** Light modules around a code. */
const BORDER = 4;

type Prepared = { readonly codes: AirgapCodes; readonly signatures: AirgapSignatures };
let prepared: Prepared | null = null;

/** Takes the answer to prepare; gives the number of codes that suffice. Throws as `airgapCodes` does. */
export function prepare(answer: string, question: PrepareQuestion): number {
  const codes = airgapCodes(answer, question);
  prepared = { codes, signatures: new AirgapSignatures(codes.part.session) };
  return codes.count;
}

/** Shows code `number`, from 1 on. */
export function show(number: number): void {
  const text = need().codes.code(number).toUpperCase();
  document.body.style.cssText = "margin:40px;background:#cde";
  document.body.innerHTML = encodeQr(text, "svg", { ecc: "low", border: BORDER });
}

/** Reads the code in a picture, a PNG as a data URL; gives the body of submit when all is known, else null. */
export async function read(picture: string): Promise<SubmitBody | null> {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  if (canvas === null) throw new Error("this browser draws nothing");
  canvas.drawImage(image, 0, 0);
  return need().signatures.receive(decodeQR(canvas.getImageData(0, 0, width, height)));
}

function need(): Prepared {
  if (prepared === null) throw new Error("nothing was prepared");
  return prepared;
}
