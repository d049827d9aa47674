/** The subset of JSON Schema that our OpenAPI document uses. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** What a value may be, apart from null. */
export function branchesOf(schema: JsonSchema): JsonSchema[] {
  const branches = schema.anyOf ?? [schema];
  return branches.flatMap((branch) =>
    branch.anyOf ? branchesOf(branch) : branch.type === "null" ? [] : [branch],
  );
}

/** Such as `array of string`, `"rules" or "off"`, `object or null`. */
export function formatType(schema: JsonSchema): string {
  const branches = branchesOf(schema).map(formatBranch);
  const canBeNull = JSON.stringify(schema.anyOf ?? schema.type ?? "").includes('"null"');
  return [...new Set([...branches, ...(canBeNull ? ["null"] : [])])].join(" or ");
}

function formatBranch(schema: JsonSchema): string {
  if (schema.const !== undefined) {
    return JSON.stringify(schema.const);
  }
  if (schema.enum) {
    return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  }
  const names = [schema.type ?? "any JSON"].flat().filter((name) => name !== "null");
  return names.map((name) => formatName(name, schema)).join(" or ");
}

function formatName(name: string, { items, format }: JsonSchema): string {
  if (name === "array") {
    return items ? `array of ${formatType(items)}` : "array";
  }
  return format === "binary" ? "file" : name;
}

/** The object schema whose fields to list: the schema itself or its array items. Null if there is none. */
export function fieldsOf(schema: JsonSchema): JsonSchema | null {
  for (const branch of branchesOf(schema)) {
    const found = branch.properties ? branch : branch.items ? fieldsOf(branch.items) : null;
    if (found) {
      return found;
    }
  }
  return null;
}

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
    const counted = least === 1 ? unit.replace(/s$/, "") : unit;
    return least === undefined ? "" : `at least ${least.toLocaleString("en")}${counted}`;
  }
  const range = least === undefined ? "at most" : `${least.toLocaleString("en")} to`;
  return `${range} ${most.toLocaleString("en")}${unit}`;
}

function joined(parts: string[], separator: string): string {
  return parts.filter(Boolean).join(separator);
}
