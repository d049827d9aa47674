import { APIConnectionError, APIError } from "openai";
import { describe, expect, it } from "vitest";
import { describeError } from "./log";

describe("describeError", () => {
  it("includes an upstream error's status, code and request id, but nothing from its body", () => {
    const error = APIError.generate(
      500,
      { error: { message: "no key sk-secret\n    at prompt text", code: "server_error" } },
      undefined,
      new Headers({ "x-request-id": "req_upstream" }),
    );
    const described = describeError(error);
    expect(described).toMatchObject({
      status: 500,
      code: "server_error",
      upstream_request_id: "req_upstream",
    });
    expect(described).not.toHaveProperty("message");
    expect(JSON.stringify(described)).not.toMatch(/sk-secret|prompt text/);
  });

  it("omits an upstream error code that doesn't look like one, because it may echo input", () => {
    const codeOf = (code: string) => {
      const error = APIError.generate(400, { error: { code } }, undefined, new Headers());
      return Reflect.get(describeError(error), "code");
    };
    for (const code of ["context_length_exceeded", "DeploymentNotFound", "model.not-found"]) {
      expect(codeOf(code)).toBe(code);
    }
    for (const code of ["my prompt", "sk-proj-4f8a", "footnote_live_7Hq2", "Anna, 54", ""]) {
      expect(codeOf(code)).toBeUndefined();
    }
    const own = Object.assign(new Error("crossed"), { code: "40P01" });
    expect(describeError(own)).toMatchObject({ code: "40P01", message: "crossed" });
  });

  it("omits the body of an upstream stream error, but includes a connection error's message", () => {
    const inStream = new APIError(undefined, { message: "sk-secret" }, undefined, new Headers());
    expect(JSON.stringify(describeError(inStream))).not.toMatch(/sk-secret/);
    expect(describeError(new APIConnectionError({}))).toMatchObject({
      message: "Connection error.",
    });
  });

  it("includes an internal error's message once, along with its stack", () => {
    const described = describeError(new TypeError("first line\nsecond line"));
    expect(described).toMatchObject({ type: "TypeError", message: "first line\nsecond line" });
    expect(described).toHaveProperty("stack", expect.stringMatching(/^\s+at .*log\.test\.ts/));
    expect(described).toHaveProperty("stack", expect.not.stringContaining("line"));
  });
});
