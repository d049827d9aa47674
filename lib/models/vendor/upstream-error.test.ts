import { describe, expect, it } from "vitest";
import { ResponseTooLargeError } from "./exchange";
import { readUpstreamError, toUpstreamAppError } from "./upstream-error";

const NO_MESSAGE = "The upstream returned an error without a message.";

/** What the caller of a request gets that the upstream rejected with this body. */
async function rejectionOf(text: string) {
  const error = await readUpstreamError({
    status: 400,
    headers: {},
    async *pieces() {},
    text: async (maxBytes = Number.POSITIVE_INFINITY) => {
      if (text.length > maxBytes) {
        throw new ResponseTooLargeError("too large");
      }
      return text;
    },
  });
  return toUpstreamAppError(error, new AbortController().signal, {
    baseUrl: "http://localhost:1/v1",
    model: "m",
  });
}

function inJson(error: object): string {
  return JSON.stringify({ error });
}

describe("the message of an upstream's error", () => {
  it.each([
    ["JSON", inJson({ message: "Bad temperature." }), "Bad temperature."],
    ["an object", inJson({ message: { detail: "Bad." } }), '{"detail":"Bad."}'],
    ["plain text", "max_tokens is too large\n", "max_tokens is too large"],
    ["several lines", inJson({ message: "Bad\n\ttemperature.\u0000" }), "Bad temperature."],
  ])("is passed on from %s, on one line", async (_, text, message) => {
    expect((await rejectionOf(text)).message).toBe(message);
  });

  it.each([
    ["an HTML page", "\n<!doctype html><title>nginx 10.0.0.7</title>"],
    ["HTML in JSON", inJson({ message: "<html>10.0.0.7</html>" })],
    ["JSON without an error", '{"host":"10.0.0.7"}'],
    ["nothing", ""],
    ["more than 64 kB", inJson({ message: `${"x".repeat(64 * 1024)}` })],
  ])("is not passed on from %s", async (_, text) => {
    expect((await rejectionOf(text)).message).toBe(NO_MESSAGE);
  });

  it.each([
    ["JSON", inJson({ message: "x".repeat(50_000), param: "x".repeat(300) })],
    ["plain text", "x".repeat(50_000)],
  ])("is shortened from %s", async (_, text) => {
    const { message, param } = await rejectionOf(text);
    expect(message).toBe(`${"x".repeat(1000)}…`);
    expect(param).toBeNull();
  });
});
