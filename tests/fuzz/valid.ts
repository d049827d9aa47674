import fc, { type Arbitrary } from "fast-check";

/** The subset of JSON Schema that zod generates for openapi.json. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

/** Values by property name where the schema is too general; without them hardly any request would succeed. */
export type Hints = Record<string, Arbitrary<unknown>>;

const MOST_ITEMS = 4;
const LONGEST = 60;

/** Values that match a schema, taken from `hints` for the properties it names. */
export function validValue(schema: Schema, hints: Hints): Arbitrary<unknown> {
  if (schema.enum) {
    return fc.constantFrom(...schema.enum);
  }
  if ("const" in schema) {
    return fc.constant(schema.const);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    return fc.oneof(...branches.map((branch) => validValue(branch, hints)));
  }
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => validValue({ ...schema, type }, hints)));
  }
  return validOfType(schema, hints);
}

function validOfType(schema: Schema, hints: Hints): Arbitrary<unknown> {
  const { minimum, maximum } = schema;
  switch (schema.type) {
    case "string":
      return validText(schema);
    case "integer":
      return fc.integer({ min: minimum ?? -1000, max: Math.min(maximum ?? 1000, 2 ** 31 - 1) });
    case "number":
      return fc.double({ min: minimum ?? -1000, max: maximum ?? 1000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(validValue(schema.items ?? {}, hints), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS),
      });
    case "object":
      return validObject(schema, hints);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function validObject(schema: Schema, hints: Hints): Arbitrary<unknown> {
  if (!schema.properties) {
    return fc.dictionary(
      validText(schema.propertyNames ?? {}),
      validValue(
        typeof schema.additionalProperties === "object" ? schema.additionalProperties : {},
        {},
      ),
      { maxKeys: Math.min(schema.maxProperties ?? MOST_ITEMS, MOST_ITEMS) },
    );
  }
  const members = Object.entries(schema.properties).map(
    ([name, member]): [string, Arbitrary<unknown>] => [
      name,
      (isHinted(name, member) && hints[name]) || validValue(member, hints),
    ],
  );
  const requiredKeys = schema.required ?? [];
  return fc.record<Record<string, unknown>, string>(Object.fromEntries(members), { requiredKeys });
}

/** Not a field that must be null, and not a response's `text`, which is an object. */
function isHinted(name: string, { type, anyOf }: Schema): boolean {
  return type !== "null" && !(name === "text" && anyOf);
}

function validText({ format, pattern, minLength = 0, maxLength = LONGEST }: Schema) {
  const times = fc.date({
    min: new Date("2000-01-01"),
    max: new Date("2030-01-01"),
    noInvalidDate: true,
  });
  switch (format) {
    case "date":
      return times.map((time) => time.toISOString().slice(0, 10));
    case "date-time":
      return times.map((time) => time.toISOString());
    case "uri":
      return fc.webUrl();
  }
  return pattern
    ? fc.stringMatching(new RegExp(pattern))
    : fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONGEST)) });
}
