import { countTokens as countO200k, decode, encode, setMergeCacheSize } from "gpt-tokenizer";

// Filling the encoder's own cache of 100,000 words costs more than it saves on text that does not repeat.
setMergeCacheSize(1000);

const PLAIN_TEXT = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** A longer run without a break is counted in slices: the encoder's time grows with its square. */
const LONGEST_RUN = 128;
const LONG_RUNS = /\S{129,}|\s{129,}/g;

/** A text is counted in parts of about this many characters, cut before a blank. */
const PARTS = /[\s\S]{1,16384}(?=\s|$)|[\s\S]{1,16384}/g;

/**
 * Tokens of a text in OpenAI's o200k vocabulary; text that looks like a special token counts as text.
 * Exact for ordinary text; at most one token too many for each 128 characters of an unbroken run.
 * Counting stops soon after `limit`: what is beyond it is too much, however much.
 */
export function countTokens(text: string, limit = Number.POSITIVE_INFINITY): number {
  if (text.length <= LONGEST_RUN) {
    return countO200k(text, PLAIN_TEXT);
  }
  let sum = 0;
  for (const [part] of text.matchAll(PARTS)) {
    sum += countPart(part);
    if (sum > limit) {
      break;
    }
  }
  return sum;
}

function countPart(text: string): number {
  let sum = 0;
  let end = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUNS)) {
    sum += countO200k(text.slice(end, index), PLAIN_TEXT);
    for (let start = 0; start < run.length; start += LONGEST_RUN) {
      sum += countO200k(run.slice(start, start + LONGEST_RUN), PLAIN_TEXT);
    }
    end = index + run.length;
  }
  return sum + countO200k(text.slice(end), PLAIN_TEXT);
}

/** The text cut after `limit` tokens, at a whole character. */
export function takeTokens(text: string, limit: number): string {
  const tokens = encode(text, PLAIN_TEXT);
  if (tokens.length <= limit) {
    return text;
  }
  // A cut inside a character leaves replacement characters at the end.
  return decode(tokens.slice(0, limit)).replace(/\uFFFD+$/, "");
}
