/** Child process of the layout test: migrates a store and dies at a point. Arguments: root folder, point. */
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { migrate } from "@svc/node-server/storage/migrations/migrate.ts";
import { DEADLY_POINTS, DyingKv } from "./dyingKv.ts";
import { consensusFolders } from "./hostFixture.ts";

const [root = "", name = ""] = process.argv.slice(2);
const point = DEADLY_POINTS.get(name);
if (point === undefined) throw new Error(`no point ${name}`);
const database = new LmdbKv({ path: consensusFolders(root).path });
migrate(new DyingKv(database, point, 0), CONSENSUS_LAYOUT);
