import type * as z from "zod";

const MAX_TEXT_LENGTH = 64_000;
const MAX_TRIES = 32;

/**
 * The JSON objects in a model's text that `schema` accepts, in order. Ignores the text around them. Reads the first 64,000
 * characters and tries 32 braces.
 */
export function findJsonObjects<T>(written: string, schema: z.ZodType<T>): T[] {
  const text = written.slice(0, MAX_TEXT_LENGTH);
  const found: T[] = [];
  let at = text.indexOf("{");
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries += 1) {
    const end = endOfObject(text, at);
    const { success, data } = schema.safeParse(parse(text.slice(at, end)));
    if (success) {
      found.push(data);
    }
    at = text.indexOf("{", success ? end : at + 1);
  }
  return found;
}

function endOfObject(text: string, start: number): number {
  const signs = /[{}]|"(?:[^"\\]|\\.)*"/gs;
  signs.lastIndex = start;
  let depth = 0;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    depth += sign[0] === "{" ? 1 : sign[0] === "}" ? -1 : 0;
    if (depth === 0) {
      return signs.lastIndex;
    }
  }
  return text.length;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
