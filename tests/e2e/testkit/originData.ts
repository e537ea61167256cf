/** Secret leak search: all that the pages of an origin store in the browser, searched for secrets in clear. */
import type { Page } from "playwright-core";
import { encodeHex } from "@svc/shared/base/hex.ts";

/** Bytes that must not be found in clear. */
export type Needle = { readonly name: string; readonly bytes: Uint8Array };

/** A needle that was found, and where. */
export type Finding = { readonly name: string; readonly place: string };

/** Kinds of storage that a page has. */
export const STORAGES = [
  "indexedDB",
  "localStorage",
  "sessionStorage",
  "cookie",
  "opfs",
  "cache",
] as const;

/** Bytes that each kind of storage holds, keys and names included. */
export type StoredBytes = Readonly<Record<(typeof STORAGES)[number], number>>;

/** Forms in which bytes may be kept: as they are, and as text. */
export function formsOf({ bytes }: Needle): readonly Uint8Array[] {
  const buffer = Buffer.from(bytes);
  const texts = [
    encodeHex(bytes),
    encodeHex(bytes).toUpperCase(),
    buffer.toString("base64").replace(/=+$/, ""),
    buffer.toString("base64url"),
    // As JSON writes an array of bytes.
    buffer.join(","),
  ];
  return [bytes, ...texts.map((text) => new TextEncoder().encode(text))];
}

/** Looks through everything. */
export async function searchOrigin(
  page: Page,
  needles: readonly Needle[],
): Promise<{ readonly findings: readonly Finding[]; readonly stored: StoredBytes }> {
  await page.evaluate(beginGathering);
  await page.evaluate(gatherDatabases);
  await page.evaluate(gatherOthers);
  const stored = await page.evaluate(sizes);
  const forms = needles.map((needle) => [needle.name, formsOf(needle).map(encodeHex)] as const);
  return { findings: await page.evaluate(search, forms), stored };
}

/** Keeps a value for `search`: each text and each run of bytes in it, with its place. */
type Keep = (place: string, value: unknown) => Promise<void>;

/** Runs in the page: nothing is kept so far, and the calls after it have a `Keep`. */
function beginGathering(): void {
  const kept: [place: string, bytes: Uint8Array][] = [];
  const keep: Keep = async (place, value) => {
    if (value instanceof Blob) await keep(place, await value.arrayBuffer());
    else if (value instanceof ArrayBuffer) kept.push([place, new Uint8Array(value)]);
    else if (ArrayBuffer.isView(value)) {
      kept.push([place, new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]);
    } else if (typeof value === "object" && value !== null) {
      const isPairs = value instanceof Map || value instanceof Set;
      for (const [key, item] of isPairs ? value.entries() : Object.entries(value)) {
        await keep(`${place}.${typeof key === "object" ? "key" : String(key)}`, item);
        await keep(place, key);
      }
      if (Array.isArray(value)) await keep(place, value.join(","));
    } else kept.push([place, new TextEncoder().encode(String(value))]);
  };
  Object.assign(globalThis, { storedInOrigin: kept, keepStored: keep });
}

/** Runs in the page: keeps all rows of all databases. */
async function gatherDatabases(): Promise<void> {
  const keep: Keep = Reflect.get(globalThis, "keepStored");
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
    });
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const rows = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([done(rows.getAllKeys()), done(rows.getAll())]);
      for (const [at, key] of keys.entries()) {
        await keep(`indexedDB/${name}/${store}`, { key, value: values[at] });
      }
    }
    database.close();
  }
}

/** Runs in the page: keeps what is stored outside of databases. */
async function gatherOthers(): Promise<void> {
  const keep: Keep = Reflect.get(globalThis, "keepStored");
  await keep("localStorage", { ...localStorage });
  await keep("sessionStorage", { ...sessionStorage });
  await keep("cookie", document.cookie);
  const walk = async (place: string, folder: FileSystemDirectoryHandle): Promise<void> => {
    for await (const [name, entry] of folder.entries()) {
      await keep(place, name);
      if (entry instanceof FileSystemDirectoryHandle) await walk(`${place}/${name}`, entry);
      else if (entry instanceof FileSystemFileHandle) {
        await keep(`${place}/${name}`, await entry.getFile());
      }
    }
  };
  await walk("opfs", await navigator.storage.getDirectory());
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      const headers = JSON.stringify([...(response?.headers ?? [])]);
      await keep(`cache/${name}`, [request.url, headers, (await response?.arrayBuffer()) ?? ""]);
    }
  }
}

/** Runs in the page: how much each kind of storage holds. */
function sizes(): StoredBytes {
  const kept: [place: string, bytes: Uint8Array][] = Reflect.get(globalThis, "storedInOrigin");
  const bytesOf = (kind: string): number =>
    kept
      .filter(([place]) => place.startsWith(kind))
      .reduce((sum, [, bytes]) => sum + bytes.length, 0);
  return {
    indexedDB: bytesOf("indexedDB"),
    localStorage: bytesOf("localStorage"),
    sessionStorage: bytesOf("sessionStorage"),
    cookie: bytesOf("cookie"),
    opfs: bytesOf("opfs"),
    cache: bytesOf("cache"),
  };
}

/** Runs in the page: the needles that are in what `gather` kept. Their forms are hex. */
function search(forms: readonly (readonly [string, readonly string[]])[]): Finding[] {
  const kept: [place: string, bytes: Uint8Array][] = Reflect.get(globalThis, "storedInOrigin");
  const holds = (bytes: Uint8Array, form: Uint8Array): boolean => {
    const [first = 0] = form;
    for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
      if (form.every((byte, index) => bytes[at + index] === byte)) return true;
    }
    return false;
  };
  const found: Finding[] = [];
  for (const [name, hexes] of forms) {
    const wanted = hexes.map((hex) =>
      Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)),
    );
    for (const [place, bytes] of kept) {
      if (wanted.some((form) => holds(bytes, form))) found.push({ name, place });
    }
  }
  return found;
}

/** Puts bytes into each kind of storage, in each in another form, and one of those kinds with all `forms`. */
export async function plant(page: Page, needle: Needle): Promise<void> {
  const forms = formsOf(needle).map((form) => [...form]);
  await page.evaluate(
    async ([name, all]) => {
      const [raw, hex, upper, base64] = all.map((form) => Uint8Array.from(form));
      if (raw === undefined) throw new Error("no bytes");
      const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open("svc-wallet");
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error(name)));
      });
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction("meta", "readwrite");
        const nested = all.map((form) => ({ deep: [{ bytes: Uint8Array.from(form) }] }));
        transaction.objectStore("meta").put({ nested, list: [...raw] }, `canary ${name}`);
        transaction.addEventListener("complete", () => resolve());
        transaction.addEventListener("error", () => reject(transaction.error ?? new Error(name)));
      });
      database.close();
      localStorage.setItem(`canary ${name}`, `{"a":"${text(hex)}"}`);
      sessionStorage.setItem(`canary ${name}`, text(upper));
      document.cookie = `canary${all.length}=${text(hex)}`;
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle("canary", { create: true });
      const file = await folder.getFileHandle("file", { create: true });
      const writable = await file.createWritable();
      await writable.write(Uint8Array.from([1, 2, 3, ...raw, 4]));
      await writable.close();
      const cache = await caches.open("canary");
      await cache.put("/canary", new Response(`=${text(base64)}=`));
    },
    [needle.name, forms] as const,
  );
}
