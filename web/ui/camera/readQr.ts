/** Reader of QR codes in pictures, by the library that draws them (`qr`): one to keep, and the same on every device. */
import { decodeQR } from "qr/decode.js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** The text of the code in a picture; null when there is none that can be read. */
export function readQr(picture: ImageData, timeLimit: number): string | null {
  try {
    return decodeQR(picture, { timeLimit });
  } catch {
    return null;
  }
}

/** The text of the code in an image file. Rejects with `airgap/no-code`, also for what is no image. */
export async function readQrFile(file: Blob): Promise<string> {
  const text = await pictureOf(file).then(
    (picture) => readQr(picture, PAGE_LIMITS.cameraImageMs),
    () => null,
  );
  if (text === null) throw new SvcError("airgap/no-code", {});
  return text;
}

async function pictureOf(file: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(file);
  try {
    return pixelsOf(bitmap, bitmap);
  } finally {
    bitmap.close();
  }
}

/** The pixels of an image or a camera's picture, made smaller where a side is longer than is looked at. */
export function pixelsOf(
  source: CanvasImageSource,
  size: { readonly width: number; readonly height: number },
): ImageData {
  const scale = Math.min(1, PAGE_LIMITS.cameraPictureSide / Math.max(size.width, size.height));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new SvcError("airgap/no-code", {});
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}
