// What every client is asked, so that their answers can be compared. Safe to import without a server.

export const EXTRACT_MODEL = "footnote-extract-1";
/** Does what the last user message says after `script:`; lib/testing/fake-upstream.ts tells how. */
export const SCRIPTED_MODEL = "scripted";
/** Its worst case costs more than the account has. */
export const COSTLY_MODEL = "scripted-costly";

export const QUESTION = "What are the symptoms of asthma?";
export const CITATIONS = { enabled: true };
/** Longer than the search takes: answered without citations, with a warning. */
export const TOO_LONG_QUESTION = "word ".repeat(9000);
/** What the scripted model answers without a script. */
export const GREETING = "Hello from upstream.";

interface Script {
  text?: string;
  status?: number;
  delayMs?: number;
  headers?: Record<string, string>;
  pieceMs?: number;
  tools?: boolean;
  breakAfter?: number;
}

/** A user message that tells the scripted model what to do. */
export function script(steps: Script): string {
  return `script:${JSON.stringify(steps)}`;
}

/** The upstream refuses for being busy; a client that obeys `retry-after` comes back at once. */
export const BUSY = script({ status: 429, headers: { "retry-after": "0.05" } });
/** The upstream breaks off in the middle of its answer. */
export const BREAKS_OFF = script({ text: "one two three four", breakAfter: 2, pieceMs: 20 });
/** Calls `get_weather` for Bern, and answers with `text` when it has the tool's result. */
export const CALLS_TOOL = script({ tools: true, text: "It snows in Bern." });
/** A JSON answer, for the helpers that parse one. */
export const ANSWERS_JSON = script({ text: '{"city":"Bern"}' });

/** Takes two seconds, so that a client can hang up in the middle. */
export const SLOW_TOKENS = 400;
export const SLOW = script({ text: "word ".repeat(SLOW_TOKENS).trim(), pieceMs: 5 });
/** Pieces that a client takes before it hangs up. */
export const PIECES_BEFORE_HANG_UP = 20;

export const CITY_SCHEMA = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
} as const;
