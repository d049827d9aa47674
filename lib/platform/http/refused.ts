import * as z from "zod";

/** A field that OpenAI has and an endpoint doesn't; null is absent. */
export function refused(message: string) {
  return z.null({ error: message }).optional().describe(`Not supported: ${message}.`);
}
