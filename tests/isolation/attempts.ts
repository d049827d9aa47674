import { expect } from "vitest";
import { responseIdOf } from "@/lib/answers/responses/output";
import { newId } from "@/lib/id";
import { dispatch } from "@/lib/testing/api";
import { fill } from "./endpoints";
import type { Fixture, Kind } from "./fixtures";
import { snapshotOf } from "./snapshot";

/** A request to an endpoint. It doesn't depend on the sender, and the id in the path can be replaced. */
export interface Attempt {
  /** The id in the path: one of the account's rows, or a resource shared by all accounts. */
  id?: Kind | { shared: string };
  /** A query, which may name the victim's rows. */
  query?: string | ((victim: Fixture) => string);
  body?: object | ((victim: Fixture) => object);
  /** Of the body, which is JSON by default. */
  mediaType?: string;
  headers?: Record<string, string>;
  /** The error that everyone gets, for an endpoint that accepts nothing. */
  refusal?: { status: number; code: string };
  /** Text in the response to the account itself, so that its absence for others proves something. */
  expects?: (victim: Fixture) => string;
}

/** The credentials of a request. */
export interface Sender {
  key?: string | undefined;
  headers?: Record<string, string>;
}

/** A response of any media type; `json` is null if it is not JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: { error: { param: unknown }; data: unknown; id: unknown } | null;
}

/** Sends an attempt with `id` or the victim's id in the path. */
export async function send(
  sender: Sender,
  {
    endpoint,
    attempt,
    victim,
    id,
  }: { endpoint: string; attempt: Attempt; victim: Fixture; id?: string },
): Promise<Answer> {
  const { method, path } = fill(endpoint, id ?? idOf(attempt, victim));
  const query = typeof attempt.query === "function" ? attempt.query(victim) : (attempt.query ?? "");
  const body = typeof attempt.body === "function" ? attempt.body(victim) : attempt.body;
  const response = await dispatch(`http://localhost:3000${path}${query}`, {
    method,
    headers: {
      ...(body && { "content-type": attempt.mediaType ?? "application/json" }),
      ...(sender.key !== undefined && { authorization: `Bearer ${sender.key}` }),
      ...attempt.headers,
      ...sender.headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /^application\/json(?:;|$)/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : null,
  };
}

function idOf({ id }: Attempt, victim: Fixture): string {
  return typeof id === "object" ? id.shared : id ? victim.ids[id] : "";
}

/** The kind of the victim's row that the path names; null if it doesn't name one. */
export function kindOf({ id }: Attempt): Kind | null {
  return typeof id === "string" ? id : null;
}

/** An id that doesn't exist. */
export function unknownId(kind: Kind): string {
  if (kind === "response") {
    return responseIdOf(newId("completion"));
  }
  switch (kind) {
    case "pdf":
      return newId("document");
    case "issuedKey":
      return newId("key");
    case "store":
      return newId("vectorStore");
    case "storeFile":
      return `${newId("vectorStore")}|${newId("document")}`;
    case "storeBatch":
      return `${newId("vectorStore")}|${newId("fileBatch")}`;
    default:
      return newId(kind);
  }
}

/** Runs an attempt and expects that it changes no row of the victim's account. */
export async function expectUnchanged<T>(victim: Fixture, run: () => Promise<T>): Promise<T> {
  const before = await snapshotOf(victim.id);
  const result = await run();
  expect(await snapshotOf(victim.id)).toEqual(before);
  return result;
}

/** Expects the documented error format, with a request id in the headers. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.json).toEqual({
    error: {
      message: expect.stringMatching(/\. /),
      type: expect.stringMatching(/_error$/),
      param: answer.json?.error.param === null ? null : expect.any(String),
      code,
    },
  });
  expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
}

/** The parts of a response that must be equal whether or not the resource exists. */
export function visible(answer: Answer): object {
  const headers = [...answer.headers].filter(
    ([name]) => name !== "x-request-id" && !name.startsWith("x-ratelimit-"),
  );
  return { status: answer.status, text: answer.text, headers };
}

/** Expects that a response contains no text or id of the victim. */
export function expectNoLeak({ text, headers }: Answer, victim: Fixture): void {
  const { secret, id, email, ids, personal } = victim;
  const rows = [...Object.values(ids), ...Object.values(personal)].flatMap((row) => row.split("|"));
  const theirs = [secret, id, email, ...rows];
  const all = JSON.stringify([text, [...headers]]);
  expect(theirs.filter((each) => all.includes(each))).toEqual([]);
}

/** Expects a success response that contains the text, or the endpoint's refusal. */
export function expectAnswered(
  answer: Answer,
  expected: string,
  refusal?: Attempt["refusal"],
): void {
  if (refusal) {
    expectError(answer, refusal.status, refusal.code);
    return;
  }
  const { status, text } = answer;
  expect(status, text).toBeGreaterThanOrEqual(200);
  expect(status, text).toBeLessThan(300);
  expect(text).toContain(expected);
}
