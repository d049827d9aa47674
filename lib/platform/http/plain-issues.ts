import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  nan: "a number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  undefined: "nothing",
  date: "a date",
};

const FORMATS: Record<string, string> = {
  email: "an email address",
  url: "a URL",
  uuid: "a UUID",
  datetime: "a date with time, such as 2026-01-31T12:00:00Z",
  date: "a date, such as 2026-01-31",
};

/**
 * For bodies: only the first issue is reported, so a list is read up to its first wrong element. Zod does this in
 * `validate`, and doesn't declare it for `parse`.
 */
export const FIRST_ISSUE = { error: plainIssue, abortEarly: true };

/** Zod's issues in the words of a caller, who doesn't know Zod. Applies where a schema has no message of its own. */
export function plainIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${kindOf(issue.expected)}${found(issue.input)}`;
    case "invalid_value":
      return `expected ${anyOf(issue.values.map((value) => JSON.stringify(value)))}`;
    case "too_big":
      return tooBig(issue);
    case "too_small":
      return tooSmall(issue);
    case "invalid_format":
      return `expected ${FORMATS[issue.format] ?? "another form of text"}`;
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor}`;
    case "invalid_union":
      return `expected ${anyOf(issue.errors.flatMap(alternativeOf)) || "another value"}${found(issue.input)}`;
    case "invalid_key":
      return "one of its names isn't allowed";
    default:
      return "expected another value";
  }
}

function kindOf(expected: string): string {
  return KINDS[expected] ?? "another value";
}

/** What was sent instead, if that helps. */
function found(input: unknown): string {
  if (input === undefined) {
    return ", but it is missing";
  }
  if (typeof input === "number" && !Number.isInteger(input)) {
    return "";
  }
  const kind = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  return `, not ${kindOf(kind)}`;
}

function tooBig({
  origin,
  maximum,
  inclusive,
}: Pick<z.core.$ZodIssueTooBig, "origin" | "maximum" | "inclusive">): string {
  const most = maximum.toLocaleString("en-US");
  if (origin === "string") {
    return `use at most ${most} characters`;
  }
  return isList(origin)
    ? `send at most ${most} values`
    : `expected a number ${inclusive === false ? "below" : "of at most"} ${most}`;
}

function tooSmall({
  origin,
  minimum,
  inclusive,
}: Pick<z.core.$ZodIssueTooSmall, "origin" | "minimum" | "inclusive">): string {
  const least = minimum.toLocaleString("en-US");
  if (origin === "string") {
    return minimum === 1 ? "expected some text" : `use at least ${least} characters`;
  }
  return isList(origin)
    ? `send at least ${least} ${minimum === 1 ? "value" : "values"}`
    : `expected a number ${inclusive === false ? "above" : "of at least"} ${least}`;
}

function isList(origin: string): boolean {
  return origin === "array" || origin === "set" || origin === "map" || origin === "object";
}

/** What one branch of a union expects; nothing if it failed further inside. */
function alternativeOf([issue]: readonly z.core.$ZodIssue[]): string[] {
  return issue?.path.length === 0
    ? [issue.message.replace(/^expected |, (?:not|but) .*$/g, "")]
    : [];
}

/** Such as `GET, POST or DELETE`. */
export function anyOf(alternatives: readonly string[]): string {
  const all = [...new Set(alternatives)];
  const last = all.pop() ?? "";
  return all.length > 0 ? `${all.join(", ")} or ${last}` : last;
}
