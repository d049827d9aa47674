import { describe, expect, it } from "vitest";
import { cpuMs } from "@/lib/testing/cpu-time";
import { appendPeerAddress, clientAddress, readQuery, rejectDuplicateParams } from "./request";

/** What limits count by when a client at `peer` sends the header itself. */
function addressFor(sent: string | undefined, peer: string, proxies: number): string {
  const request = { headers: { "x-forwarded-for": sent }, socket: { remoteAddress: peer } };
  appendPeerAddress(request);
  return clientAddress(request.headers["x-forwarded-for"], proxies);
}

describe("the client's address", () => {
  it.each([
    ["the connection's, without a proxy", undefined, 0, "203.0.113.9"],
    ["not what the client sent", "198.51.100.1, 198.51.100.2", 0, "203.0.113.9"],
    ["what one proxy saw", "198.51.100.1, 192.0.2.5", 1, "192.0.2.5"],
    ["what the outer of two proxies saw", "198.51.100.1, 192.0.2.5, 10.0.0.1", 2, "192.0.2.5"],
    ["the connection's, for a client that avoids the proxy", undefined, 1, "203.0.113.9"],
  ])("is %s", (_name, sent, proxies, address) => {
    expect(addressFor(sent, "203.0.113.9", proxies)).toBe(address);
  });

  it.each([
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:40112", "203.0.113.9"],
    ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff:0:0:9", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::7%eth0", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["", "unknown"],
    ["not an address", "not an address"],
    ["a".repeat(65), "a".repeat(64)],
  ])("of %j is counted as %j", (address, counted) => {
    expect(clientAddress(address, 0)).toBe(counted);
  });
});

describe("a query", () => {
  const check = (query: string) =>
    rejectDuplicateParams(new Request(`http://localhost/v1/billing/usage?${query}`));

  it("is rejected if it repeats a parameter, even an empty name", () => {
    expect(() => check("from=1&to=2&from=3")).toThrow("'from' is repeated");
    expect(() => check("=1&=2")).toThrow("'' is repeated");
    expect(() => check("from=1&From=2")).not.toThrow();
  });

  it("has a list for each name that ends in brackets, which may be repeated", () => {
    const query = "include[]=a&limit=2&include[]=b&metadata[ward]=7&__proto__=c";
    expect(() => check(query)).not.toThrow();
    expect(Object.entries(readQuery(new Request(`http://localhost/v1?${query}`)))).toEqual([
      ["include[]", ["a", "b"]],
      ["limit", "2"],
      ["metadata[ward]", "7"],
      ["__proto__", "c"],
    ]);
  });

  it("is checked in the time it takes to parse, however many parameters it has", () => {
    const query = Array.from({ length: 40_000 }, (_, at) => at.toString(36)).join("&");
    const parsing = cpuMs(() => [...new URLSearchParams(query)]);
    // Comparing each name with all others takes hundreds of times as long.
    expect(cpuMs(() => check(query))).toBeLessThan(50 * Math.max(1, parsing));
  });
});
