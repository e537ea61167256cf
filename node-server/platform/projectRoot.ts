/** The root folder of the project, for what set-up leaves in it. */

/** URL of the root folder; ends with a slash. This module and the files of the built program lie equally deep below it. */
export const PROJECT_ROOT = new URL("../../", import.meta.url);
