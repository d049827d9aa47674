import { expect, inject } from "vitest";
import {
  CITATIONS,
  EXTRACT_MODEL,
  QUESTION,
  SCRIPTED_MODEL,
  SLOW_AT_ONCE,
  TOO_LONG_QUESTION,
} from "./scenario";

export const baseURL = inject("baseUrl");
export const apiKey = inject("apiKey");

export interface Citation {
  id: number;
  title: string;
  excerpt: string;
}

export interface UrlCitation {
  type: "url_citation";
  url_citation: { start_index: number; end_index: number; title: string; url: string };
}

interface Message {
  role: "assistant";
  content: string;
  annotations?: UrlCitation[];
}

/** A completion as it stands on the wire. */
export interface WireCompletion {
  choices: { message: Message }[];
  citations?: Citation[];
  warnings?: { code: string; message: string }[];
  usage: { cost_usd: string };
}

/** What a plain `fetch` gets: the truth that each client is compared with. */
export interface Wire {
  text: string;
  citations: Citation[];
  annotations: UrlCitation[];
  warnings: { code: string; message: string }[];
}

/** Asks the scenario's questions without any client. The same question has the same answer each time. */
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
    annotations: message?.annotations ?? [],
    warnings: warned.warnings ?? [],
  };
  // A comparison with nothing would prove nothing.
  expect(wire.text).toContain("[1]");
  expect(wire.citations.length).toBeGreaterThan(1);
  expect(wire.annotations.length).toBeGreaterThan(0);
  expect(wire.warnings).toEqual([
    { code: "invalid_request", message: expect.stringContaining("without citations") },
  ]);
  return wire;
}

interface Question {
  model: string;
  content: string;
  citations?: object;
  stream?: boolean;
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

/** A `fetch` that counts its calls and keeps their answers' headers. */
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

/** Proves that a client's hang-up frees the hold at once and pays for a part of the answer only. */
export async function expectBilledHangUp(hangUp: () => Promise<void>): Promise<void> {
  const start = await readCredits();
  await post({ model: SCRIPTED_MODEL, content: SLOW_AT_ONCE });
  const before = await readCredits();
  await hangUp();
  await expect.poll(async () => (await readCredits()).held).toBe(0);
  const after = await readCredits();
  const whole = start.balance - before.balance;
  const paid = before.balance - after.balance;
  expect(paid).toBeGreaterThan(0);
  expect(paid).toBeLessThan(whole);
}

/** Millionths of a dollar. */
async function readCredits(): Promise<{ balance: number; held: number }> {
  const response = await fetch(`${baseURL}/billing/credits`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { balance_usd, held_usd } = await response.json();
  return { balance: toMicros(balance_usd), held: toMicros(held_usd) };
}

function toMicros(usd: string): number {
  return Math.round(Number(usd) * 1_000_000);
}

/** All that a stream yields. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) {
    items.push(item);
  }
  return items;
}
