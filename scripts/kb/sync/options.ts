import path from "node:path";
import { command, readCount, toPath, UsageError } from "../../command/run";
import type { Attributes } from "./api";
import type { SyncOptions } from "./run";

const USAGE = "Name one folder: FOOTNOTE_API_KEY=… npm run kb -- sync <folder>.";

const DEFAULT_CONCURRENCY = 4;

export const syncCommand = command(
  {
    scope: { type: "string", default: "customer_kb" },
    prefix: { type: "string" },
    "base-url": { type: "string" },
    "source-type": { type: "string" },
    store: { type: "string" },
    attributes: { type: "string" },
    concurrency: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    "allow-empty": { type: "boolean", default: false },
  },
  ({ values, positionals: [root, ...more] }): SyncOptions => {
    const key = process.env.FOOTNOTE_API_KEY ?? "";
    if (!root || more.length > 0) {
      throw new UsageError(USAGE);
    }
    if (!key) {
      throw new UsageError(
        "Set FOOTNOTE_API_KEY to a key with kb:documents:read and kb:documents:write.",
      );
    }
    if (values.scope !== "customer_kb" && values.scope !== "personal_kb") {
      throw new UsageError("--scope takes customer_kb or personal_kb. For public_kb use import.");
    }
    const place = path.resolve(toPath(root));
    return {
      ...{ root: place, key, scope: values.scope },
      concurrency: readCount("concurrency", values.concurrency, 16) ?? DEFAULT_CONCURRENCY,
      baseUrl: readBaseUrl(values["base-url"] ?? process.env.FOOTNOTE_BASE_URL),
      prefix: (values.prefix ?? `${path.basename(place)}/`).normalize("NFC"),
      sourceType: values["source-type"] ?? null,
      store: values.store || null,
      attributes: readAttributes(values.attributes),
      isDryRun: values["dry-run"],
      isEmptyAllowed: values["allow-empty"],
    };
  },
  async (options) => (await import("./run")).runSync(options),
);

/** A literal that JSON has too. */
const LITERAL = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?|"[^"\\]*")$/;

/** Such as `team=legal,year=2026,draft=`: an empty value removes the attribute. */
function readAttributes(given = ""): Attributes {
  const pairs = given.split(",").map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.filter(Boolean).map((pair) => {
      const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === "") {
        throw new UsageError("--attributes takes name=value pairs, such as team=legal,year=2026.");
      }
      return [name, LITERAL.test(value) ? JSON.parse(value) : value || null];
    }),
  );
}

/** As stock clients take it, which end it with /v1. */
function readBaseUrl(given = "http://localhost:3000"): string {
  if (!/^https?:\/\//.test(given) || !URL.canParse(given)) {
    throw new UsageError("--base-url takes an address, such as https://footnote.example.");
  }
  return given.replace(/\/+$/, "").replace(/\/v1$/, "");
}
