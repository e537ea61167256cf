/** Looks at the names and modes of the files in a wallet folder, before anything opens it. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { freeBytes } from "../../storage/diskSpace.ts";
import { isWalletToken, walletLabel } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { Finding } from "./finding.ts";

const ABOUT = "folder";
/** What others than the owner may do. */
const OTHERS = 0o077;
const DRAFT = /^\.[0-9a-f]{32}\.new$/;
const KEPT = /^([^.]+)\.(?:json|scan)\.bak(?:\.(\d+))?$/;
const MIB = 1024 * 1024;

/**
 * Findings about the files; `free` gives the free bytes on the disk of a folder. Throws `node/bad-folder` for a folder that cannot
 * be read.
 */
export function inspectFiles(
  path: string,
  free: (folder: string) => number = freeBytes,
): readonly Finding[] {
  try {
    const names = readdirSync(path);
    return [
      ...modeFindings(path, names),
      ...draftFindings(names),
      ...keptFindings(names),
      ...headerFindings(names),
      ...roomFindings(free(path)),
    ];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SvcError("node/bad-folder", { path, reason }, cause);
  }
}

function modeFindings(path: string, names: readonly string[]): Finding[] {
  // Windows has no such modes.
  if (process.platform === "win32") return [];
  const findings: Finding[] = [];
  if ((lstatSync(path).mode & OTHERS) !== 0) {
    const advice = `Run: chmod 700 ${path}`;
    findings.push(warning("other users of this machine can open it", advice));
  }
  const open = names.filter((name) => {
    const facts = lstatSync(join(path, name), { throwIfNoEntry: false });
    return facts?.isFile() === true && name !== ".lock" && (facts.mode & OTHERS) !== 0;
  });
  if (open.length > 0) {
    const advice = `Run: chmod 600 ${path}/*.json* ${path}/*.scan* ${path}/.sealing.json`;
    findings.push(warning(`other users may read ${open.length} of its files`, advice));
  }
  const others = names.filter((name) => isLink(join(path, name)));
  if (others.length > 0) {
    const advice = "The daemon follows no links; put the files themselves there.";
    findings.push(warning(`${others.length} of its names are links`, advice));
  }
  return findings;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function draftFindings(names: readonly string[]): Finding[] {
  const count = names.filter((name) => DRAFT.test(name)).length;
  if (count === 0) return [];
  const text = `${count} unfinished files of a killed process were removed`;
  return [{ level: "note", about: ABOUT, text, advice: null }];
}

function keptFindings(names: readonly string[]): Finding[] {
  const { walletBackups } = WALLETD_LIMITS;
  const counts = new Map<string, { all: number; bounded: number }>();
  for (const name of names) {
    const [, token, number = "0"] = KEPT.exec(name) ?? [];
    if (token === undefined) continue;
    const { all, bounded } = counts.get(token) ?? { all: 0, bounded: 0 };
    // Those behind the bound make room by themselves.
    const isBounded = Number(number) < walletBackups;
    counts.set(token, { all: all + 1, bounded: bounded + (isBounded ? 1 : 0) });
  }
  return Array.from(counts, ([token, { all: count, bounded }]): Finding => {
    const about = isWalletToken(token) ? walletLabel(token) : ABOUT;
    const isFull = bounded >= walletBackups;
    const advice = isFull ? "Move some elsewhere: no more are kept." : null;
    const text = `${count} earlier files (.bak) lie beside it`;
    return { level: isFull ? "warning" : "note", about, text, advice };
  });
}

function headerFindings(names: readonly string[]): Finding[] {
  if (names.includes(".sealing.json") || !names.some((name) => name.endsWith(".json"))) return [];
  const advice = "If the database was sealed, put the .sealing.json back that belongs to it.";
  return [warning("its header .sealing.json was missing and is written anew", advice)];
}

function roomFindings(free: number): Finding[] {
  if (free >= WALLETD_LIMITS.doctorRoomBytes) return [];
  const text = `its disk has ${Math.floor(free / MIB)} MiB left`;
  return [warning(text, "Free some space: a daemon without room cannot record payments.")];
}

function warning(text: string, advice: string): Finding {
  return { level: "warning", about: ABOUT, text, advice };
}
