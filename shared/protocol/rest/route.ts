/** The maker of rows of the public REST interface (specification service, Public REST). Nobody needs a credential for any of them. */
import { routeMaker } from "../contract/routeContract.ts";

/** Parts of the interface. */
export type RestGroup = "chain" | "transactions" | "network" | "history" | "supply" | "health";

/** The names that its rows may have. */
export type RestKinds = {
  readonly group: RestGroup;
  readonly credential: "none";
  readonly scope: "any";
};

/** Makes a row. */
export const route = routeMaker<RestKinds>();
