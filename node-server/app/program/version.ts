/** The version of this program, as peers, miners and clients are told. */
import manifest from "../../package.json" with { type: "json" };

/** The version, such as 0.1.0. */
export const VERSION: string = manifest.version;
