import type { JsonSchema } from "./api/json-schema";

/** Such as `1 to 50, default 8`; empty if the value has no limits. */
export function formatLimit(schema: JsonSchema): string {
  const fallback = schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`;
  return joined([formatOwn(schema), fallback], ", ");
}

function formatOwn(schema: JsonSchema): string {
  if (schema.anyOf) {
    return joined(schema.anyOf.map(formatOwn), "; ");
  }
  const { minimum, maximum, minItems, maxItems, maxProperties, additionalProperties } = schema;
  const values = typeof additionalProperties === "object" && maxProperties !== undefined;
  return joined(
    [
      formatRange(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
      formatLength(schema),
      formatRange(minItems, maxItems, " entries"),
      formatPart("each", schema.items),
      formatRange(undefined, maxProperties, " pairs"),
      formatPart("names", schema.propertyNames),
      formatPart("values", values ? additionalProperties : undefined),
    ],
    ", ",
  );
}

function formatPart(name: string, schema: JsonSchema = {}): string {
  const length = formatLength(schema);
  return length && `${name} ${length}`;
}

function formatLength({ minLength, maxLength }: JsonSchema): string {
  return formatRange(minLength || undefined, maxLength, " characters");
}

function formatRange(least: number | undefined, most: number | undefined, unit = ""): string {
  if (most === undefined) {
    return least === undefined ? "" : `at least ${least.toLocaleString("en")}${unit}`;
  }
  const range = least === undefined ? "at most" : `${least.toLocaleString("en")} to`;
  return `${range} ${most.toLocaleString("en")}${unit}`;
}

function joined(parts: string[], separator: string): string {
  return parts.filter(Boolean).join(separator);
}
