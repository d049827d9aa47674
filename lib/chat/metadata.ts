import * as z from "zod";
import { isPostgresText } from "@/lib/db/postgres-text";

const MOST_PAIRS = 16;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 512;

/** Length in Unicode code points. */
function text(least: number, most: number) {
  return z
    .string({ error: "expected text" })
    .refine((value) => value.length <= 2 * most && [...value].length <= most, {
      error: `use at most ${most} characters`,
      abort: true,
    })
    .refine((value) => value.length >= least, "expected some text")
    .refine(isPostgresText, "leave NUL characters and lone surrogates out")
    .meta({ minLength: least, maxLength: most });
}

/** Zod's own messages for records don't describe keys. */
function formatRecord({ code }: { code: string }): string {
  return code === "invalid_key"
    ? `a name is text of 1 to ${LONGEST_KEY} characters, without NUL and lone surrogates`
    : "expected an object of names and texts";
}

/** Metadata of a stored answer, within OpenAI's limits. */
export const Metadata = z.preprocess(
  (value, { addIssue }) => {
    // Zod's record drops this key silently.
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")) {
      addIssue({ code: "custom", message: "'__proto__' cannot be a name" });
    }
    return value;
  },
  z
    .record(text(1, LONGEST_KEY), text(0, LONGEST_VALUE), { error: formatRecord })
    .refine((value) => Object.keys(value).length <= MOST_PAIRS, {
      error: `attach at most ${MOST_PAIRS} pairs`,
    })
    .meta({ maxProperties: MOST_PAIRS }),
);
export type Metadata = z.output<typeof Metadata>;
