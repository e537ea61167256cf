import { describe, expect, it } from "vitest";
import { parseFlags } from "./flags.ts";

const node = (...args: string[]) => parseFlags("node", args, {}).peers;

describe("options about peers", () => {
  it("have defaults for a node and for a network of one's own", () => {
    expect(node()).toMatchObject({ listen: {}, outbound: 8, dnsSeeds: true });
    const own = parseFlags("local", [], {}).peers;
    expect(own).toMatchObject({ listen: null, outbound: 0, dnsSeeds: false });
    const open = parseFlags("local", ["--listen=0"], {}).peers;
    expect(open.listen).toEqual({ port: 0 });
  });

  it("name several peers, with the network's port where none is given", () => {
    const { connect, addPeers } = node(
      "--connect=1.2.3.4",
      "--connect=[::1]:5",
      "--addpeer=1.2.3.4:6",
      "--addpeer=2001:db8::1",
    );
    expect(connect).toEqual([
      { ip: "1.2.3.4", port: 0 },
      { ip: "::1", port: 5 },
    ]);
    expect(addPeers).toEqual([
      { ip: "1.2.3.4", port: 6 },
      { ip: "2001:db8::1", port: 0 },
    ]);
  });

  it("come from the environment with commas in between", () => {
    const { connect } = parseFlags("node", [], { SVC_CONNECT: "1.2.3.4:5,1.2.3.5" }).peers;
    expect(connect.map(({ ip }) => ip)).toEqual(["1.2.3.4", "1.2.3.5"]);
  });

  it("turn things off", () => {
    const off = node("--maxinpeers=0", "--disable-upnp", "--nodnsseed", "--outpeers=0");
    expect(off).toMatchObject({ listen: null, dnsSeeds: false, outbound: 0 });
  });

  it.each([
    "--connect=example.org",
    "--addpeer=1.2.3.4:0",
    "--outpeers=257",
    "--maxinpeers=-1",
    "--externalip=here",
    "--ua-rule=maybe",
    "--listen=1.2.3.4:99999",
  ])("%s is refused", (arg) => {
    expect(() => node(arg)).toThrow(expect.objectContaining({ code: "node/bad-option" }));
  });

  it("name a proxy, which looks names up; then nobody is taken in unasked", () => {
    const proxied = node("--proxy=127.0.0.1:9050", "--connect=Peer.onion", "--addpeer=a.b:5");
    expect(proxied).toMatchObject({
      proxy: { host: "127.0.0.1", port: 9_050 },
      connect: [{ ip: "peer.onion", port: 0 }],
      addPeers: [{ ip: "a.b", port: 5 }],
      listen: null,
      dnsSeeds: true,
    });
    expect(node("--proxy=tor:9050", "--listen=1.2.3.4:5").listen).toEqual({
      host: "1.2.3.4",
      port: 5,
    });
    expect(node("--proxy=[::1]:1", "--connect=::2").connect).toEqual([{ ip: "::2", port: 0 }]);
    expect(node().proxy).toBeNull();
  });

  it.each([
    ["--proxy=127.0.0.1"],
    ["--proxy=9050"],
    ["--proxy=host:0"],
    ["--proxy=host:70000"],
    ["--proxy=a:1", "--connect=1.2.3.4:0"],
    ["--proxy=a:1", "--connect=not a name"],
    ["--proxy=a:1", "--externalip=name.example"],
    ["--addpeer=name.example"],
  ])("%s %s is refused", (...args) => {
    expect(() => node(...args)).toThrow(expect.objectContaining({ code: "node/bad-option" }));
  });

  it("judge programs by rules", () => {
    const { takesAgent } = node("--ua-rule=reject;regex:bad", "--ua-rule=allow;regex:svc");
    expect([takesAgent("/svc:1/"), takesAgent("/svc:1/bad"), takesAgent("/other:1/")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
