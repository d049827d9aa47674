import { describe, expect, it } from "vitest";
import { generateApiKey, hashSecret, isWellFormed, maskKey } from "./secret";

describe("a key's secret", () => {
  it("has its mode's prefix, 43 base62 digits and a six-digit checksum", () => {
    expect(generateApiKey("live")).toMatch(/^footnote_live_[0-9A-Za-z]{49}$/);
    expect(generateApiKey("test")).toMatch(/^footnote_test_[0-9A-Za-z]{49}$/);
    expect(generateApiKey("live")).not.toBe(generateApiKey("live"));
  });

  it("is well formed only exactly as generated", () => {
    const secret = generateApiKey("live");
    expect(isWellFormed(secret)).toBe(true);
    for (const wrong of [
      "",
      secret.slice(1),
      secret.slice(0, -1),
      `${secret} `,
      secret.toLowerCase(),
      secret.replace("live", "test"),
    ]) {
      expect(isWellFormed(wrong)).toBe(false);
    }
  });

  it("is malformed after any single-character change", () => {
    const secret = generateApiKey("test");
    for (let at = "footnote_test_".length; at < secret.length; at += 1) {
      const changed = secret.slice(0, at) + (secret[at] === "A" ? "B" : "A") + secret.slice(at + 1);
      expect(isWellFormed(changed)).toBe(false);
    }
  });

  it("is stored as a SHA-256 hash and displayed as its prefix and last four characters", () => {
    const secret = generateApiKey("live");
    expect(hashSecret(secret)).toHaveLength(32);
    expect(maskKey(secret)).toEqual({ prefix: "footnote_live_", lastFour: secret.slice(-4) });
  });
});
