/** Fault injection: the disk of a wallet folder that kills its process before a chosen step, or within one that writes a file. */
import { SYSTEM_DISK, type WalletDisk } from "@svc/node-server/walletd/keys/walletDisk.ts";

/** The disk of this machine; so many steps that change something are survived. */
export function dyingDisk(spared: number): WalletDisk {
  let left = spared;
  const die = (): void => void process.kill(process.pid, "SIGKILL");
  const survive = (): void => {
    if (left === 0) die();
    left -= 1;
  };
  return {
    names: (folder) => SYSTEM_DISK.names(folder),
    read: (path, most) => SYSTEM_DISK.read(path, most),
    create: async (path, bytes) => {
      // What a process leaves that dies while it writes.
      if (left === 0) await SYSTEM_DISK.create(path, bytes.subarray(0, bytes.length / 2));
      survive();
      await SYSTEM_DISK.create(path, bytes);
    },
    link: (from, to) => {
      survive();
      return SYSTEM_DISK.link(from, to);
    },
    rename: (from, to) => {
      survive();
      return SYSTEM_DISK.rename(from, to);
    },
    remove: (path) => {
      survive();
      return SYSTEM_DISK.remove(path);
    },
    flush: (folder) => {
      survive();
      return SYSTEM_DISK.flush(folder);
    },
  };
}
