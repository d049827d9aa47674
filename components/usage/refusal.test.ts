import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ERROR_KINDS } from "@/lib/errors";
import type { RequestRecord } from "@/lib/money/usage/schema";
import { Failure } from "./refusal";

function explained(status: number, error_code: string | null, refusal: object | null = null) {
  const request = { status, error_code, refusal } as RequestRecord;
  return renderToStaticMarkup(createElement(Failure, { request }));
}

describe("why a request failed", () => {
  it("is said for every code of a request that the server may have begun, with a link to its docs", () => {
    for (const [code, { status }] of Object.entries(ERROR_KINDS)) {
      expect(explained(status, code)).toContain(`/docs/errors#${code}`);
    }
    expect(explained(502, "upstream_error")).toContain("The model failed to answer.");
  });

  it("is said of a client that disconnected, which no docs explain", () => {
    const text = explained(499, "client_closed_request");
    expect(text).toContain("The client disconnected");
    expect(text).not.toContain("/docs/");
  });

  it("isn't said of a success, or of a refusal, which has a message of its own", () => {
    expect(explained(200, null)).toBe("");
    expect(explained(400, "invalid_request", { message: "No." })).toBe("");
  });
});
