// The requests every client sends, so that results can be compared. Safe to import without a server.

export const EXTRACT_MODEL = "footnote-extract-1";
/** Follows the script after `script:` in the last user message; see lib/testing/fake-upstream.ts. */
export const SCRIPTED_MODEL = "scripted";
/** Its maximum cost exceeds the account's balance. */
export const COSTLY_MODEL = "scripted-costly";

export const QUESTION = "What are the symptoms of asthma?";
export const CITATIONS = { enabled: true };
/** Of the passages that answer the question, others are of other titles. */
export const TITLE = "Asthma";
export const OF_TITLE = { type: "eq" as const, key: "title", value: TITLE };
/** Longer than a search accepts, so it is answered without citations and with a warning. */
export const TOO_LONG_QUESTION = "word ".repeat(9000);
/** The scripted model's default response. */
export const GREETING = "Hello from upstream.";

interface Script {
  text?: string;
  status?: number;
  delayMs?: number;
  headers?: Record<string, string>;
  pieceMs?: number;
  tools?: boolean;
  breakAfter?: number;
  isStrict?: boolean;
  recalls?: boolean;
}

/** A user message with a script for the model. */
export function script(steps: Script): string {
  return `script:${JSON.stringify(steps)}`;
}

/** The upstream answers 429. A client that respects `retry-after` retries at once. */
export const BUSY = script({ status: 429, headers: { "retry-after": "0.05" } });
/** The upstream breaks the connection mid-response. */
export const BREAKS_OFF = script({ text: "one two three four", breakAfter: 2, pieceMs: 20 });
/** Calls `get_weather` for Bern, and responds with `text` to the tool's result. */
export const CALLS_TOOL = script({ tools: true, text: "It snows in Bern." });
/** A JSON response for helpers that parse JSON. */
export const ANSWERS_JSON = script({ text: '{"city":"Bern"}' });

/** Takes two seconds, so that a client can disconnect midway. */
export const SLOW_TOKENS = 400;
export const SLOW = script({ text: "word ".repeat(SLOW_TOKENS).trim(), pieceMs: 5 });
/** Chunks that a client reads before it disconnects. */
export const PIECES_BEFORE_HANG_UP = 20;

/** Two turns about one subject: the second is answered with what the model saw of the first. */
export const FIRST_TURN = `Asthma? ${script({ text: "Asthma makes people wheeze [1]." })}`;
export const SECOND_TURN = `And how does an albuterol inhaler relieve wheezing in asthma? ${script({ recalls: true })}`;
export const STRICT_SECOND_TURN = `And how does an albuterol inhaler relieve wheezing in asthma? ${script({ recalls: true, isStrict: true })}`;
/** The model's part in it, as JSON text. */
export const RECALLED = 'assistant: "Asthma makes people wheeze [1]."';

export const CITY_SCHEMA = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false,
};
