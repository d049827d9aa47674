/** Words of the old private vocabulary, by the standard term that replaced each. Matched in identifiers and file names. */
export const RETIRED_WORDS: Record<string, string> = {
  wall: "row-level security",
  walled: "tenant-scoped",
  lane: "batch key",
  lanes: "batcher",
  hurry: "statement timeout",
  hurried: "statement timeout",
  unhurried: "background work",
  uncrossed: "retryOnSerializationFailure",
  tape: "output buffer",
  quiet: "verbatim",
  door: "endpoint",
  doors: "endpoints",
  deed: "audit event",
  deeds: "audit events",
  glimpse: "summary",
  stray: "orphaned",
  face: "view state",
  faces: "view states",
  told: "reported",
  hung: "disconnected",
  stranger: "anonymous",
  strangers: "anonymous",
  unheard: "orphaned",
  decoy: "dummy",
  wishes: "options",
  neutralise: "escape",
};

/** Prefixes and suffixes that have a standard form: Intl's `format…`, and `…_LABELS`. */
export const RETIRED_FORMS = [/^say[A-Z]/, /_WORDS$/];

/** Legitimate uses of a retired word. */
export const LEGITIMATE = new Set(["WALL_CLOCK_FACTOR"]);

/** Phrases that read like a translation. Matched in the text that components and pages show. */
export const RETIRED_PHRASES =
  /\b(?:no more be|works no more|for ever|whoever|reckon(?:ed)?|hung up|hangs up|word for word|e-mails?)\b/i;
