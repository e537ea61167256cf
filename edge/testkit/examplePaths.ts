/** Paths of the examples of the public REST interface. */
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";

/** The rows. */
export const ROW_NAMES = Object.keys(REST_ROUTES).filter(
  (name): name is RestRouteName => name in REST_ROUTES,
);

/** The hash that examples of transactions have, and that of blocks. */
const IDS: { readonly [R in RestRouteName]?: string } = { transaction: "f2".repeat(32) };

/** Where the example of a row stands, below `/api`. */
export function examplePathOf(name: RestRouteName): string {
  const { example, path }: RouteContract = REST_ROUTES[name];
  return example.path ?? path.replace("{id}", IDS[name] ?? "ab".repeat(32));
}
