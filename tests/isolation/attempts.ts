import { expect } from "vitest";
import { newId } from "@/lib/id";
import { dispatch } from "@/lib/testing/api";
import { fill } from "./endpoints";
import type { Fixture, Kind } from "./fixtures";
import { digestOf } from "./snapshot";

/** How a endpoint is asked, the id in its path aside. Nothing here depends on who asks. */
export interface Ask {
  /** Whose id stands in the path: a row of the account, or something that is nobody's. */
  id?: Kind | { shared: string };
  /** A query, which may name a row of somebody else's. */
  query?: string | ((victim: Fixture) => string);
  body?: object | ((victim: Fixture) => object);
  headers?: Record<string, string>;
  /** What its answer to the account itself has in it, so that its absence for others expects something. */
  expects?: (victim: Fixture) => string;
}

/** Who sends a request. */
export interface Sender {
  key?: string | undefined;
  headers?: Record<string, string>;
}

/** An answer of any media type; `json` is null where it is none. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: { error: { param: unknown }; data: unknown; id: unknown } | null;
}

/** Sends what a row says, with one of the victim's ids or another one in the path. */
export async function send(
  sender: Sender,
  { endpoint, ask, victim, id }: { endpoint: string; ask: Ask; victim: Fixture; id?: string },
): Promise<Answer> {
  const { method, path } = fill(endpoint, id ?? idOf(ask, victim));
  const query = typeof ask.query === "function" ? ask.query(victim) : (ask.query ?? "");
  const body = typeof ask.body === "function" ? ask.body(victim) : ask.body;
  const response = await dispatch(`http://localhost:3000${path}${query}`, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(sender.key !== undefined && { authorization: `Bearer ${sender.key}` }),
      ...ask.headers,
      ...sender.headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : null,
  };
}

function idOf({ id }: Ask, victim: Fixture): string {
  return typeof id === "object" ? id.shared : id ? victim.ids[id] : "";
}

/** The kind of the victim's row that a path names; null where it names none of theirs. */
export function kindOf({ id }: Ask): Kind | null {
  return typeof id === "string" ? id : null;
}

/** An id that nothing has. */
export function nobodysId(kind: Kind): string {
  return newId(kind);
}

/** Runs a try, and holds that it changed no row of the victim's account. */
export async function leavesAlone<T>(victim: Fixture, attempt: () => Promise<T>): Promise<T> {
  const before = await digestOf(victim.id);
  const result = await attempt();
  expect(await digestOf(victim.id)).toEqual(before);
  return result;
}

/** The decided shape of every failure, with its id in the headers. */
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

/** All that two answers may not differ in, when neither expects whether something exists. */
export function visible(answer: Answer): object {
  const headers = [...answer.headers].filter(
    ([name]) => name !== "x-request-id" && !name.startsWith("x-ratelimit-"),
  );
  return { status: answer.status, text: answer.text, headers };
}

/** Nothing of the victim's stands in an answer: no text of theirs, and no id. */
export function expectSilence({ text, headers }: Answer, victim: Fixture): void {
  const { secret, id, email, ids, personal } = victim;
  const theirs = [secret, id, email, ...Object.values(ids), ...Object.values(personal)];
  const all = JSON.stringify([text, [...headers]]);
  expect(theirs.filter((each) => all.includes(each))).toEqual([]);
}

/** The account itself is answered, with what its row says that the answer expects. */
export function expectAnswered({ status, text }: Answer, expected: string): void {
  expect(status, text).toBeGreaterThanOrEqual(200);
  expect(status, text).toBeLessThan(300);
  expect(text).toContain(expected);
}
