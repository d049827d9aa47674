import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConnectionError, IdleTimeoutError, postUpstream, ResponseTooLargeError } from "./exchange";

async function ask(listener: RequestListener, { silenceMs = 10_000, signal = never() } = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x?a=b`);
  return postUpstream({
    url,
    headers: { "x-a": "1" },
    body: "{}",
    signal,
    idleTimeoutMs: silenceMs,
  });
}

function never(): AbortSignal {
  return new AbortController().signal;
}

describe("postUpstream", () => {
  it("posts the body to the full URL and returns status, headers and text", async () => {
    const answer = await ask(async (request, response) => {
      let body = "";
      for await (const piece of request) {
        body += piece;
      }
      const { url, method, headers } = request;
      response.writeHead(418, { "x-b": "2" });
      response.end(JSON.stringify({ url, method, body, a: headers["x-a"] }));
    });
    expect([answer.status, answer.headers["x-b"]]).toEqual([418, "2"]);
    const seen = { url: "/v1/x?a=b", method: "POST", body: "{}", a: "1" };
    expect(JSON.parse(await answer.text())).toEqual(seen);
  });

  it("doesn't follow a redirect, which could leak the credentials", async () => {
    const paths: (string | undefined)[] = [];
    const answer = await ask((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect([answer.status, await answer.text(), paths]).toEqual([307, "", ["/v1/x?a=b"]]);
  });

  it("delivers a body much larger than the buffer intact when it is read in pieces", async () => {
    const whole = Buffer.alloc(8 * 1024 * 1024, "0123456789");
    const answer = await ask((_request, response) => response.end(whole));
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.pieces()) {
      pieces.push(piece);
      await new Promise(setImmediate);
    }
    expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  });

  it("aborts a response that is longer than the reader wants", async () => {
    const answer = () => ask((_request, response) => response.end("x".repeat(1001)));
    expect(await (await answer()).text(1001)).toHaveLength(1001);
    await expect((await answer()).text(1000)).rejects.toThrow(ResponseTooLargeError);
  });

  it("aborts an endless response", async () => {
    const left = Promise.withResolvers<void>();
    const piece = Buffer.alloc(4 * 1024 * 1024, "x");
    const answer = await ask((_request, response) => {
      response.on("close", left.resolve);
      const more = () => response.write(piece, () => response.destroyed || setImmediate(more));
      more();
    });
    await expect(answer.text()).rejects.toThrow("too large");
    await left.promise;
  });

  it("closes the connection when the reader exits the loop", async () => {
    const left = Promise.withResolvers<void>();
    const answer = await ask((_request, response) => {
      response.on("close", left.resolve).write("a");
    });
    for await (const piece of answer.pieces()) {
      expect(Buffer.from(piece).toString()).toBe("a");
      break;
    }
    await left.promise;
  });

  it("rejects with the signal's reason, before and after the response starts", async () => {
    const left = Promise.withResolvers<void>();
    const before = new AbortController();
    const silent = ask(
      (_request, response) => {
        response.on("close", left.resolve);
        before.abort(new Error("before"));
      },
      { signal: before.signal },
    );
    await expect(silent).rejects.toThrow("before");
    await left.promise;
    const after = new AbortController();
    const answer = await ask((_request, response) => void response.write("a"), {
      signal: after.signal,
    });
    const text = answer.text();
    after.abort(new Error("after"));
    await expect(text).rejects.toThrow("after");
    await expect(ask(() => {}, { signal: after.signal })).rejects.toThrow("after");
  });

  it("distinguishes an idle timeout, a broken response and a failed connection", async () => {
    await expect(ask(() => {}, { silenceMs: 50 })).rejects.toThrow(IdleTimeoutError);
    const stalled = ask((_request, response) => void response.write("a"), { silenceMs: 50 });
    await expect(stalled.then((answer) => answer.text())).rejects.toThrow(IdleTimeoutError);
    await expect(ask((request) => request.destroy())).rejects.toThrow(ConnectionError);
    const broken = await ask((_request, response) => {
      response.write("a", () => response.destroy());
    });
    const failure = await broken.text().catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(ConnectionError);
  });
});
