import { describe, expect, it } from "vitest";
import { callbackPath } from "./callback-path";

describe("callbackPath", () => {
  it("returns a path on this site with its query and fragment", () => {
    expect(callbackPath("/keys?after=key_1#top")).toBe("/keys?after=key_1#top");
  });

  it("returns the path of an absolute URL on the site's origin", () => {
    expect(callbackPath("https://footnote.example/keys", "https://footnote.example")).toBe("/keys");
  });

  it.each([
    "https://evil.example/keys",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/.//evil.example",
    "/%09/evil.example/..//..//evil.example",
    "\t//evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "http:evil.example",
    "https://footnote.example@evil.example",
    "",
    null,
    undefined,
  ])("stays on the site for %j", (value) => {
    const path = callbackPath(value);
    expect(new URL(path, "https://footnote.example").origin).toBe("https://footnote.example");
    expect(path).toMatch(/^\/(?![/\\])/);
  });

  it.each(["/sign-in", "/sign-in?callbackUrl=/keys", "/sign-up", "/api/auth/signout"])(
    "returns the home path for %s",
    (value) => {
      expect(callbackPath(value)).toBe("/overview");
    },
  );

  it("accepts a page whose path merely starts like /sign-in", () => {
    expect(callbackPath("/sign-instructions")).toBe("/sign-instructions");
  });
});
