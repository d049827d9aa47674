import { describe, expect, it } from "vitest";
import * as z from "zod";
import { AppError, ERROR_KINDS } from "@/lib/errors";
import { errorResponse, toAppError } from "./error-response";

describe("an AppError from another bundle's copy of the class", () => {
  it("is recognized as an AppError", async () => {
    const another = "../../errors?copy";
    const copy: typeof import("@/lib/errors") = await import(another);
    expect(copy.AppError).not.toBe(AppError);
    const error = new copy.AppError("not_found", "There is nothing.");
    expect(error).toBeInstanceOf(AppError);
    expect(toAppError(error)).toBe(error);
    expect(new Error("other")).not.toBeInstanceOf(AppError);
  });
});

describe("errors", () => {
  it("have the specified status and type for each code", async () => {
    const decided = {
      invalid_request: [400, "invalid_request_error"],
      missing_api_key: [401, "authentication_error"],
      insufficient_balance: [402, "billing_error"],
      balance_reserved: [402, "billing_error"],
      key_budget_exceeded: [402, "billing_error"],
      invalid_api_key: [403, "authentication_error"],
      insufficient_scope: [403, "permission_error"],
      not_found: [404, "invalid_request_error"],
      method_not_allowed: [405, "invalid_request_error"],
      conflict: [409, "invalid_request_error"],
      idempotency_conflict: [409, "invalid_request_error"],
      idempotency_key_reused: [409, "invalid_request_error"],
      payload_too_large: [413, "invalid_request_error"],
      unsupported_media_type: [415, "invalid_request_error"],
      rate_limit_exceeded: [429, "rate_limit_error"],
      internal_error: [500, "server_error"],
      upstream_error: [502, "server_error"],
      retrieval_unavailable: [503, "server_error"],
      upstream_timeout: [504, "server_error"],
    };
    const kinds = Object.fromEntries(
      Object.entries(ERROR_KINDS).map(([code, { status, type }]) => [code, [status, type]]),
    );
    expect(kinds).toMatchObject(decided);
  });

  it("tell stock clients not to retry when retrying can't help", () => {
    const final = Object.keys(ERROR_KINDS).filter(
      (code) =>
        errorResponse(new AppError(code as never, "No.")).headers.get("x-should-retry") === "false",
    );
    expect(final.sort()).toEqual([
      "balance_reserved",
      "conflict",
      "idempotency_answer_lost",
      "idempotency_conflict",
      "idempotency_key_reused",
      "insufficient_balance",
      "key_budget_exceeded",
    ]);
  });

  it("read as one sentence when a schema's own message is one", () => {
    const messageFor = (error: string) =>
      toAppError(z.object({ amount: z.string({ error }) }).safeParse({}).error).message;
    const correct = "Correct it and send the request again.";
    expect(messageFor("Give the amount in whole cents.")).toBe(
      `'amount' is not valid: give the amount in whole cents. ${correct}`,
    );
    expect(messageFor("ISO 8601 only")).toBe(`'amount' is not valid: ISO 8601 only. ${correct}`);
  });

  it("hide the cause of an unknown error", async () => {
    const response = errorResponse(toAppError(new Error("password is hunter2 at /srv/app.ts:12")));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/hunter2|app\.ts/);
  });
});
