import { expect, it } from "vitest";
import { errorResponse, toAppError } from "@/lib/http/error-response";
import { isDatabaseUnavailable } from "./unavailable";

const withCode = (code: string) => Object.assign(new Error("no matter"), { code });

it.each([
  ["a server that is stopping", withCode("57P01")],
  ["a statement that took too long", withCode("57014")],
  ["a port nobody listens on", withCode("ECONNREFUSED")],
  ["a connection that hears nothing", new Error("Query read timeout")],
  ["a pool without a connection to spare", new Error("timeout exceeded when trying to connect")],
  ["Prisma's own word for it", withCode("P1017")],
  ["a cause of another error", new Error("failed", { cause: withCode("08006") })],
])("a database is away for %s, and the caller is told when to come back", (_what, thrown) => {
  expect(isDatabaseUnavailable(thrown)).toBe(true);
  const { status, headers } = errorResponse(toAppError(thrown));
  expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
});

it.each([
  ["a broken constraint", withCode("23505")],
  ["any other error", new Error("Connection is a word")],
  ["what is no error", "ECONNREFUSED"],
])("it is not away for %s", (_what, thrown) => {
  expect(isDatabaseUnavailable(thrown)).toBe(false);
  expect(toAppError(thrown).code).toBe("internal_error");
});
