/** Component: the picture of the camera, in which codes are looked for. */
import { createSignal, onCleanup, onMount, Show } from "solid-js";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { t } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { ErrorNotice } from "../Notice.tsx";
import { pixelsOf, readQr } from "./readQr.ts";
import styles from "./CameraView.module.css";

/** Shows what the camera sees and hands on the text of each code. The camera is off when the component is gone. */
export function CameraView(props: { onText: (text: string) => void }) {
  const [error, setError] = createSignal<ErrorJson | null>(null);
  let video: HTMLVideoElement | undefined;
  let stream: MediaStream | null = null;
  let isGone = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = () => {
    if (isGone || video === undefined) return;
    if (video.videoWidth > 0) {
      const size = { width: video.videoWidth, height: video.videoHeight };
      const text = readQr(pixelsOf(video, size), PAGE_LIMITS.cameraLookMs);
      if (text !== null) props.onText(text);
    }
    timer = setTimeout(look, PAGE_LIMITS.cameraLookEveryMs);
  };
  const start = async () => {
    const opened = await openCamera();
    if (isGone || video === undefined) return stop(opened);
    stream = opened;
    video.srcObject = opened;
    await video.play();
    look();
  };
  onMount(() => {
    start().catch((thrown: unknown) => {
      if (!isGone) setError(cameraError(thrown));
    });
  });
  onCleanup(() => {
    isGone = true;
    clearTimeout(timer);
    if (stream !== null) stop(stream);
  });

  return (
    <Show when={error() === null} fallback={<ErrorNotice error={error()} />}>
      <video
        ref={(element) => {
          video = element;
        }}
        class={styles.camera}
        aria-label={t("camera.label")}
        playsinline
        muted
      />
    </Show>
  );
}

function openCamera(): Promise<MediaStream> {
  // Where the page has no secure address browsers hide the camera.
  if (!("mediaDevices" in navigator))
    throw new SvcError("airgap/camera", { reason: "it is hidden" });
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment" },
    audio: false,
  });
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function cameraError(thrown: unknown): ErrorJson {
  if (thrown instanceof SvcError) return thrown.toJSON();
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new SvcError("airgap/camera", { reason }).toJSON();
}
