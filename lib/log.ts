import pino from "pino";
import { env } from "./env";

/** One JSON line an event. Callers never pass a key's secret, a message's text or a passage's text. */
export const log = pino({
  level: env.LOG_LEVEL,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
});
