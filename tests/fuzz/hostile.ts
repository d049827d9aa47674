import fc, { type Arbitrary } from "fast-check";

const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "b\udc00c",
  "\u202egnirts\u202c",
  "\ufeffx",
  "e\u0301".repeat(200),
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "\u{10ffff}\ufffe",
  "x".repeat(70_000),
  "\r\n\r\nset-cookie: a=b",
  "' OR '1'='1' --",
  "{{7*7}}%s%n",
  "../../../../etc/passwd",
  "%00%2e%2e%c0%af",
  "__proto__",
  "constructor",
  "toString",
  "NaN",
  "-1",
  "1e999",
  "9007199254740993",
  "null",
  "[1][2][999]",
  "2026-02-30",
  "+275760-09-13T00:00:00.001Z",
  "javascript:alert(1)",
  "http://[::1",
];

const NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1.0000000000000002,
  129,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
];

const DEPTHS = [2, 33, 201, 1000];

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) {
    value = wrap(value);
  }
  return value;
}

/** Text that often breaks programs. */
export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
  },
);

/** Values that rarely match a schema. JSON has no NaN or infinity; raw bodies cover those. */
const hostileValue: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}]) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...DEPTHS), fc.boolean())
      .map(([depth, isList]) => nested(depth, (inner) => (isList ? [inner] : { a: inner }))),
  },
  { weight: 1, arbitrary: fc.constantFrom(300, 2000).map((count) => Array(count).fill("x")) },
  { weight: 1, arbitrary: fc.constant(JSON.parse('{"__proto__": {"enabled": true}}')) },
);

/** Properties that occur in some objects of this API or OpenAI's. */
const FIELDS = [
  ...["tools", "tool_choice", "response_format", "logit_bias", "logprobs", "user", "functions"],
  ...["stream", "stream_options", "citations", "metadata", "store", "n", "stop", "modalities"],
  ...["name", "tool_calls", "tool_call_id", "file", "text", "scope", "top_k", "id", "prediction"],
];

/** One fault in a value: its position, and whether to replace, remove or add something. */
interface Damage {
  at: number;
  how: "replace" | "remove" | "add";
  name: string;
  value: unknown;
}

const damage: Arbitrary<Damage> = fc.record({
  at: fc.nat(1000),
  how: fc.constantFrom("replace" as const, "replace" as const, "remove" as const, "add" as const),
  name: fc.oneof(
    fc.constantFrom(...FIELDS),
    hostileText.filter((text) => text.length < 100),
  ),
  value: hostileValue,
});

/** A valid value with one to three faults. */
export function damaged(valid: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(damage, { minLength: 1, maxLength: 3 }))
    .map(([value, damages]) => damages.reduce(damageOnce, value));
}

function damageOnce(value: unknown, wrong: Damage): unknown {
  const places = placesIn(value);
  const place = places[wrong.at % places.length] ?? [];
  return changeAt(value, place, wrong);
}

/** The paths of all nested values, starting with the value itself. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  const inner =
    typeof value === "object" && value !== null && path.length < 4 ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, item]) => placesIn(item, [...path, name]))];
}

function changeAt(value: unknown, [name, ...rest]: string[], wrong: Damage): unknown {
  if (name === undefined) {
    return wrong.how === "add" && typeof value === "object" && value !== null
      ? withMember(value, wrong.name, wrong.value)
      : wrong.value;
  }
  const inner = Reflect.get(value as object, name);
  return rest.length === 0 && wrong.how === "remove"
    ? withMember(value as object, name, undefined)
    : withMember(value as object, name, changeAt(inner, rest, wrong));
}

/** An undefined `member` is left out of JSON objects, and becomes null in arrays. */
function withMember(value: object, name: string, member: unknown): unknown {
  if (Array.isArray(value)) {
    const at = Number(name);
    return Number.isInteger(at) && at >= 0 && at < value.length
      ? value.with(at, member)
      : [...value, member];
  }
  return Object.fromEntries([...Object.entries(value), [name, member]]);
}
