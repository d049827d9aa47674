import { expect, inject } from "vitest";
import {
  CITATIONS,
  EXTRACT_MODEL,
  PIECES_BEFORE_HANG_UP,
  QUESTION,
  SCRIPTED_MODEL,
  SLOW_TOKENS,
  TITLE,
  TOO_LONG_QUESTION,
} from "./scenario";

export const baseURL = inject("baseUrl");
export const apiKey = inject("apiKey");

export interface Citation {
  id: number;
  title: string;
  excerpt: string;
  metadata: Record<string, string | number | boolean>;
}

export interface UrlCitation {
  type: "url_citation";
  url_citation: { start_index: number; end_index: number; title: string; url: string };
}

interface Message {
  role: "assistant";
  content: string;
  annotations?: UrlCitation[];
  verification?: object;
}

/** A completion as sent over the wire. */
export interface WireCompletion {
  choices: { message: Message }[];
  citations?: Citation[];
  warnings?: { code: string; message: string }[];
  usage: { cost_usd: string };
}

/** The results of a plain `fetch`, which every client is compared with. */
export interface Wire {
  text: string;
  citations: Citation[];
  /** The citations before the answer, when it isn't known yet which are cited. */
  found: Citation[];
  annotations: UrlCitation[];
  verification: object;
  warnings: { code: string; message: string }[];
}

/** Sends the scenario's requests without a client. Responses are deterministic. */
export async function readWire(): Promise<Wire> {
  const cited = await post({ model: EXTRACT_MODEL, content: QUESTION, citations: CITATIONS });
  const warned = await post({
    model: SCRIPTED_MODEL,
    content: TOO_LONG_QUESTION,
    citations: CITATIONS,
  });
  const message = cited.choices[0]?.message;
  const wire = {
    text: message?.content ?? "",
    citations: cited.citations ?? [],
    found: (cited.citations ?? []).map(({ metadata: { cited: _cited, ...metadata }, ...rest }) => ({
      ...rest,
      metadata,
    })),
    annotations: message?.annotations ?? [],
    verification: message?.verification ?? {},
    warnings: warned.warnings ?? [],
  };
  // Comparing with an empty list would prove nothing.
  expect(wire.text).toContain("[1]");
  expect(wire.citations.length).toBeGreaterThan(1);
  expect(wire.annotations.length).toBeGreaterThan(0);
  expect(wire.annotations[0]?.url_citation).toMatchObject({
    verification: { verdict: "supported", method: "rules" },
    quote: { text: expect.stringMatching(/\w/), permalink: expect.stringContaining("/documents/") },
  });
  expect(wire.citations.map(({ metadata }) => metadata.cited)).toContain(true);
  expect(wire.verification).toMatchObject({ cited: expect.any(Number), method: "rules" });
  expect(wire.warnings).toEqual([
    { code: "invalid_request", message: expect.stringContaining("without citations") },
  ]);
  return wire;
}

interface Question {
  model: string;
  content: string;
  citations?: object;
}

async function post({ content, ...rest }: Question): Promise<WireCompletion> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...rest, messages: [{ role: "user", content }] }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** A `fetch` that counts its calls and records response headers. */
export function watchFetch(): { fetch: typeof fetch; responses: Response[] } {
  const responses: Response[] = [];
  return {
    responses,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      responses.push(response);
      return response;
    },
  };
}

/** Checks that disconnecting from SLOW releases the hold, and bills what the upstream still generates. */
export async function expectBilledHangUp(readAndHangUp: () => Promise<void>): Promise<void> {
  expect(await countPaidTokens(readAndHangUp)).toBe(SLOW_TOKENS);
}

/** The cost of the tokens generated meanwhile, once no hold is open. */
export async function countPaidTokens(work: () => Promise<void>): Promise<number> {
  const before = await readSettledBalance();
  await work();
  return before - (await readSettledBalance());
}

export function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** Reads some items, then leaves the loop. With a way to disconnect, it disconnects and keeps reading instead. */
export async function readSome(stream: AsyncIterable<unknown>, hangUp?: () => void): Promise<void> {
  let count = 0;
  for await (const _ of stream) {
    count += 1;
    if (count === PIECES_BEFORE_HANG_UP) {
      if (!hangUp) {
        return;
      }
      hangUp();
    }
  }
}

/** Checks that only sources that a filter selects were found, of those that are found without it. */
export function expectFiltered(found: { title?: string | undefined }[], { citations }: Wire): void {
  expect(citations.some(({ title }) => title !== TITLE)).toBe(true);
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(({ title }) => title))).toEqual(new Set([TITLE]));
}

/** Checks that a client drops a value: its result contains one text but not the other. */
export function expectDropped(
  result: unknown,
  { kept, dropped }: { kept: string; dropped: string },
) {
  const text = JSON.stringify(result);
  expect(text).toContain(kept);
  expect(text).not.toContain(dropped);
}

async function readSettledBalance(): Promise<number> {
  await expect.poll(async () => (await readCredits()).held, { timeout: 10_000 }).toBe("0.000000");
  return Math.round(Number((await readCredits()).balance) * 1_000_000);
}

async function readCredits(): Promise<{ balance: string; held: string }> {
  const response = await fetch(`${baseURL}/billing/credits`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { balance_usd, held_usd } = await response.json();
  return { balance: balance_usd, held: held_usd };
}

/** Collects a stream. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) {
    items.push(item);
  }
  return items;
}
