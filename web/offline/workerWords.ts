/** Words of a page to the service worker of the next build, which waits. */

/** It takes over now: its owner asked for the newer page. */
export const TAKE_OVER = "take-over";
/** It takes over if no other page of this origin is open. */
export const TAKE_OVER_ALONE = "take-over-alone";
/** Path of the service worker's script: at the root, since it answers for pages, files and workers. */
export const OFFLINE_WORKER = "/offlineWorker.js";
