import * as z from "zod";

export type JsonSchema = Record<string, unknown>;
type Io = "input" | "output";
type Schemas = Record<string, JsonSchema>;

const PREFIX = "#/components/schemas/";

/** The named schemas of a document, each once, and references to them. */
export interface Components {
  /** A reference to a named schema. Throws for one without a name. */
  refTo: (shape: z.ZodType, io: Io) => JsonSchema;
  /** The document, and the components that it refers to, directly or not. */
  finish: <T>(document: T) => { document: T; schemas: Schemas };
}

/**
 * Components with the given names. A schema of requests and responses whose forms differ, for its defaults or its
 * transformations, is two: the request's name ends in "Input".
 */
export function createComponents(names: ReadonlyMap<z.ZodType, string>): Components {
  const registry = z.registry<{ id: string }>();
  for (const [shape, id] of names) {
    registry.add(shape, { id });
  }
  const output = convert(registry, "output");
  const input = convert(registry, "input");
  const differing = differingNames(input, output);
  const inputName = (name: string) => (differing.has(name) ? `${name}Input` : name);
  const all: Schemas = { ...output };
  for (const [name, schema] of Object.entries(input)) {
    all[inputName(name)] = mapRefs(schema, inputName) as JsonSchema;
  }
  return {
    refTo: (shape, io) => {
      const name = names.get(shape);
      if (name === undefined) {
        throw new Error("a schema of the API has no name");
      }
      return { $ref: PREFIX + (io === "input" ? inputName(name) : name) };
    },
    finish: (document) => {
      const used = new Set<string>();
      const visit = (name: string): string => {
        if (!used.has(name)) {
          used.add(name);
          mapRefs(all[name], visit);
        }
        return name;
      };
      mapRefs(document, visit);
      const shortNames = new Map(
        [...differing].flatMap((name) => (used.has(name) ? [] : [[inputName(name), name]])),
      );
      const shorten = (name: string) => shortNames.get(name) ?? name;
      const schemas = [...used]
        .map((name) => [shorten(name), mapRefs(all[name], shorten)] as [string, JsonSchema])
        .toSorted(([a], [b]) => a.localeCompare(b, "en"));
      return {
        document: mapRefs(document, shorten) as typeof document,
        schemas: Object.fromEntries(schemas),
      };
    },
  };
}

/** An unnamed schema, such as the parameters of a query. */
export function inlineSchema(shape: z.ZodType, io: Io): JsonSchema {
  return portable(z.toJSONSchema(shape, { io, unrepresentable: "any" }));
}

function convert(registry: z.core.$ZodRegistry<{ id: string }>, io: Io): Schemas {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: "any",
    uri: (id) => PREFIX + id,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, portable(schema)]),
  );
}

/** Those whose two forms differ, or refer to one that does. */
function differingNames(input: Schemas, output: Schemas): Set<string> {
  const names = Object.keys(output);
  const differing = new Set(
    names.filter((name) => JSON.stringify(input[name]) !== JSON.stringify(output[name])),
  );
  for (let size = -1; size < differing.size; ) {
    size = differing.size;
    for (const name of names) {
      mapRefs(output[name], (referred) => {
        if (differing.has(referred)) {
          differing.add(name);
        }
        return referred;
      });
    }
  }
  return differing;
}

function mapRefs(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => mapRefs(each, rename));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === "$ref" && typeof each === "string" && each.startsWith(PREFIX)
        ? PREFIX + rename(each.slice(PREFIX.length))
        : mapRefs(each, rename),
    ]),
  );
}

/** The same schema without what code generators stop at. */
function portable(value: unknown): JsonSchema {
  return rewrite(value) as JsonSchema;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(rewrite);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const {
    $schema: _schema,
    $id: _id,
    properties,
    const: constant,
    oneOf,
    ...others
  } = value as JsonSchema;
  const rest = rewriteEach(Object.entries(others));
  const { type, ...untyped } = rest;
  // A list of types makes oapi-codegen stop, except for one type or null.
  if (Array.isArray(type) && type.filter((name) => name !== "null").length > 1) {
    return { ...untyped, anyOf: type.map((name) => ({ type: name })) };
  }
  return {
    ...rest,
    // Clients of openapi-generator compare a constant boolean with its text.
    ...(constant !== undefined && typeof constant !== "boolean" && { const: constant }),
    // A message of the input may leave its type out, so the branches of a union aren't exclusive.
    ...(oneOf !== undefined && { anyOf: rewrite(oneOf) }),
    ...(properties !== undefined && {
      properties: supported(properties as Schemas, others.required as string[] | undefined),
    }),
  };
}

/**
 * A type of null alone stops openapi-generator. In a request it is a field that isn't supported; in a response it is
 * one that is always there.
 */
function supported(properties: Schemas, required: readonly string[] = []): JsonSchema {
  const fields = Object.entries(properties).flatMap(([name, field]): [string, JsonSchema][] =>
    field.type !== "null"
      ? [[name, field]]
      : required.includes(name)
        ? [[name, { ...field, type: ["object", "null"] }]]
        : [],
  );
  // Of an object that has nothing but constants, orval makes a value that doesn't compile.
  const isConstant = fields.every(([, field]) => field.const !== undefined);
  return rewriteEach(
    fields.map(([name, field]) => {
      const { const: constant, ...rest } = field;
      return [name, isConstant ? { ...rest, enum: [constant] } : field];
    }),
  );
}

function rewriteEach(entries: [string, unknown][]): JsonSchema {
  return Object.fromEntries(entries.map(([key, each]) => [key, rewrite(each)]));
}
