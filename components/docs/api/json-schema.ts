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

function branchesOf(schema: JsonSchema): JsonSchema[] {
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
