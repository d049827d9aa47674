import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { fetchPublic, isPublicAddress } from "./fetch-public";

const { signal } = new AbortController();
const limits = { maxBytes: 1000, signal };
/** Tests have a server on loopback only. */
const withLoopback = { ...limits, isAllowed: () => true };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

describe("isPublicAddress", () => {
  it.each([
    ...["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"],
    ...["100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1"],
    ...[
      "::ffff:127.0.0.1",
      "::ffff:10.0.0.1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "not an address",
    ],
  ])("is false for %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])("is true for %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("fetchPublic", () => {
  it("downloads a file, named by its address", async () => {
    const origin = await serve((_, response) => response.end("The clinic opens at nine."));
    const file = await fetchPublic(`${origin}/a/opening%20hours.txt?x=1`, withLoopback);
    expect(file.name).toBe("opening hours.txt");
    expect(Buffer.from(file.bytes).toString()).toBe("The clinic opens at nine.");
  });

  it("connects to no private address, by name or number", async () => {
    let requests = 0;
    const origin = await serve((_, response) => {
      requests += 1;
      response.end("secret");
    });
    const { port } = new URL(origin);
    for (const host of ["localhost", "127.0.0.1", "[::1]", "0x7f000001", "[::ffff:127.0.0.1]"]) {
      await expect(fetchPublic(`http://${host}:${port}/`, limits), host).rejects.toThrow(
        "isn't public",
      );
    }
    expect(requests).toBe(0);
  });

  it("checks where a redirect leads", async () => {
    const inside = await serve((_, response) => response.end("secret"));
    const origin = await serve((_, response) => {
      response.writeHead(302, { location: inside.replace("localhost", "127.0.0.2") }).end();
    });
    const isAllowed = (address: string) => address === "127.0.0.1" || address === "::1";
    await expect(fetchPublic(origin, { ...limits, isAllowed })).rejects.toThrow("isn't public");
  });

  it("stops at the size limit, and names a failure", async () => {
    const large = await serve((_, response) => response.end("x".repeat(2000)));
    await expect(fetchPublic(large, withLoopback)).rejects.toThrow("larger than");
    const missing = await serve((_, response) => response.writeHead(404).end());
    await expect(fetchPublic(missing, withLoopback)).rejects.toThrow("status 404");
    await expect(fetchPublic("file:///etc/passwd", withLoopback)).rejects.toThrow("http and https");
  });
});
