import { expect, it } from "vitest";
import { errorResponse, toAppError } from "@/lib/platform/http/error-response";
import { isDatabaseUnavailable } from "./unavailable";

const withCode = (code: string) => Object.assign(new Error("no matter"), { code });

it.each([
  ["a server that is stopping", withCode("57P01")],
  ["a statement that timed out", withCode("57014")],
  ["a full disk", withCode("53100")],
  ["a failed write", withCode("58030")],
  ["a server that became read-only", withCode("25006")],
  ["a refused connection", withCode("ECONNREFUSED")],
  ["a query read timeout", new Error("Query read timeout")],
  ["an exhausted connection pool", new Error("timeout exceeded when trying to connect")],
  ["Prisma's error for a closed connection", withCode("P1017")],
  ["an error caused by a lost connection", new Error("failed", { cause: withCode("08006") })],
])("treats %s as an unavailable database and answers 503 with retry-after", (_what, thrown) => {
  expect(isDatabaseUnavailable(thrown)).toBe(true);
  const { status, headers } = errorResponse(toAppError(thrown));
  expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
});

it.each([
  ["a constraint violation", withCode("23505")],
  ["any other error", new Error("Connection is a word")],
  ["a value that isn't an error", "ECONNREFUSED"],
])("doesn't treat %s as an unavailable database", (_what, thrown) => {
  expect(isDatabaseUnavailable(thrown)).toBe(false);
  expect(toAppError(thrown).code).toBe("internal_error");
});
