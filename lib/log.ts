import pino from "pino";
import { env } from "./env";

/** One JSON line an event. Callers never pass a key's secret, a message's text or a passage's text. */
export const log = pino({
  serializers: { err: describeError },
  level: env.LOG_LEVEL,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
});

/** An error's other members may hold what a caller or an upstream sent; they stay out of the log. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) {
    return { type: typeof error };
  }
  const { name, message, stack } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { type: name, message, code, stack };
}
