/** Draws a random sample of nodes in which no neighbourhood and no host has more than its share. */
import { isIPv4 } from "node:net";
import { drawSample } from "../platform/net/drawSample.ts";
import { bucketOf, hostOf } from "../platform/net/netAddress.ts";

/** The address families. */
export type Family = "IPv4" | "IPv6";

/** The addresses of one host. */
type Host = readonly string[];
/** The hosts of one neighbourhood. */
type Neighbourhood = readonly Host[];

/** The nodes grouped by neighbourhood and host. Drawing takes about the same time however many there are. */
export class NodeSample {
  readonly #families: Readonly<Record<Family, readonly Neighbourhood[]>>;

  constructor(ips: readonly string[]) {
    const byFamily = Map.groupBy(ips, (ip): Family => (isIPv4(ip) ? "IPv4" : "IPv6"));
    this.#families = {
      IPv4: neighbourhoodsOf(byFamily.get("IPv4") ?? []),
      IPv6: neighbourhoodsOf(byFamily.get("IPv6") ?? []),
    };
  }

  /**
   * Up to so many addresses of a family, no two of one host: one of each neighbourhood, then a second one of each, and so on.
   * `random` is at least 0 and below 1, nobody knows which.
   */
  draw(family: Family, count: number, random: () => number): string[] {
    const chosen = drawSample(this.#families[family], count, random).map((hosts) =>
      drawSample(hosts, count, random),
    );
    const taken: string[] = [];
    for (let round = 0; round < count && taken.length < count; round += 1) {
      const hosts = chosen.map((of) => of[round]).filter((host) => host !== undefined);
      if (hosts.length === 0) break;
      taken.push(...hosts.flatMap((host) => drawSample(host, 1, random)));
    }
    return taken.slice(0, count);
  }
}

function neighbourhoodsOf(ips: readonly string[]): Neighbourhood[] {
  const buckets = Map.groupBy(ips, bucketOf);
  return [...buckets.values()].map((bucket) => [...Map.groupBy(bucket, hostOf).values()]);
}
