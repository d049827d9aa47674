import "server-only";

import { readFileSync } from "node:fs";
import path from "node:path";
import type * as z from "zod";

/** What a file of rates holds, checked. Throws a sentence that names the file and the field that is wrong. */
export function readRatesFile<S extends z.ZodType>(file: string, schema: S): z.output<S> {
  const { data, error } = schema.safeParse(readJson(file));
  if (!error) {
    return data;
  }
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const field = [...(issue?.path ?? []), ...unknown].map(String).join(".");
  const what = unknown.length > 0 ? "is not a field of it" : issue?.message;
  throw new Error(
    `The rates in ${file} (RATES_FILE) are not right: ${field ? `'${field}': ` : ""}${what}.`,
  );
}

function readJson(file: string): unknown {
  let isRead = false;
  try {
    const text = readFileSync(path.resolve(/* turbopackIgnore: true */ file), "utf8");
    isRead = true;
    return JSON.parse(text);
  } catch (cause) {
    const what = isRead ? "is not JSON" : "cannot be read";
    throw new Error(`RATES_FILE names ${file}, which ${what}: ${(cause as Error).message}.`, {
      cause,
    });
  }
}
