/** The JSON Schema keywords that limit a value. */
interface Bounds {
  type?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  default?: unknown;
  items?: Bounds;
  propertyNames?: Bounds;
  additionalProperties?: unknown;
  anyOf?: Bounds[];
}

/** Such as `1 to 50, default 8`; empty if the value has no limits. */
export function formatLimit(schema: Bounds): string {
  const own = (schema.anyOf ?? [schema]).map(formatOwn).filter(Boolean).join("; ");
  const fallback = schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`;
  return [own, fallback].filter(Boolean).join(", ");
}

function formatOwn(schema: Bounds): string {
  if (schema.anyOf) {
    return schema.anyOf.map(formatOwn).filter(Boolean).join("; ");
  }
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties } = schema;
  return [
    formatRange(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ""),
    formatRange(minLength || undefined, maxLength, "characters"),
    formatRange(minItems, maxItems, "entries"),
    formatPart("each", schema.items),
    formatRange(undefined, maxProperties, "pairs"),
    formatPart("names", schema.propertyNames),
    maxProperties === undefined ? "" : formatPart("values", schema.additionalProperties as Bounds),
  ]
    .filter(Boolean)
    .join(", ");
}

function formatPart(name: string, schema: Bounds | undefined): string {
  const range =
    schema && formatRange(schema.minLength || undefined, schema.maxLength, "characters");
  return range ? `${name} ${range}` : "";
}

function formatRange(least: number | undefined, most: number | undefined, unit: string): string {
  const say = (value: number) => value.toLocaleString("en");
  const range = (() => {
    if (least !== undefined && most !== undefined) {
      return `${say(least)} to ${say(most)}`;
    }
    if (most !== undefined) {
      return `at most ${say(most)}`;
    }
    return least === undefined ? "" : `at least ${say(least)}`;
  })();
  return range && unit ? `${range} ${unit}` : range;
}
