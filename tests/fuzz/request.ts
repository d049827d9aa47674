import fc, { type Arbitrary } from "fast-check";
import { readApi } from "@/components/docs/api/openapi";
import { damaged, hostileText } from "./hostile";
import { BROKEN, HEADERS, HINTS, MEDIA_TYPES } from "./pools";
import { type Schema, validValue } from "./valid";

export const JSON_LINES = "application/jsonl";

interface Parameter {
  name: string;
  in: "path" | "query";
  schema: Schema;
}

interface Operation {
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  content: [mediaType: string, schema: Schema][];
}

interface Description {
  paths: Record<
    string,
    Record<
      string,
      { parameters: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
    >
  >;
}

export type RowKind =
  | "document"
  | "job"
  | "completion"
  | "response"
  | "checkout"
  | "preset"
  | "key"
  | "upload"
  | "store"
  | "batch";

/** A placeholder for one of the sender's rows, whose id is only known when the request is sent. */
interface Row {
  row: RowKind;
  at: number;
}

export type Body =
  | { kind: "none" }
  | { kind: "json"; value: unknown }
  | { kind: "lines"; values: unknown[] }
  | { kind: "form"; fields: Record<string, unknown> }
  | { kind: "bytes"; bytes: Uint8Array };

/** A request as drawn and printed. It contains nothing that changes between runs. */
export interface Drawn {
  operation: string;
  method: string;
  path: string;
  /** One for each parameter of the path. */
  ids: (string | Row)[];
  query: [string, string][];
  headers: [string, string][];
  credential: "key" | "none" | "malformed" | "unknown";
  body: Body;
}

const description = readApi() as unknown as Description;

export const operations: Operation[] = Object.entries(description.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters,
      content: Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
        type,
        schema,
      ]),
    })),
);

const ROWS: Partial<Record<string, Row["row"]>> = {
  id: "document",
  job_id: "job",
  completion_id: "completion",
  response_id: "response",
  file_id: "document",
  vector_store_id: "store",
  batch_id: "batch",
};

/** Their parameter is called `id` as well. */
const ROWS_OF_PATHS: [string, Row["row"]][] = [
  ["/checkout-sessions/", "checkout"],
  ["/presets/", "preset"],
  ["/keys/", "key"],
  ["/uploads/", "upload"],
];

const idOf = (name: string, path: string): Arbitrary<string | Row> => {
  const kind = ROWS_OF_PATHS.find(([part]) => path.includes(part))?.[1] ?? ROWS[name];
  const known: Arbitrary<string | Row> = kind
    ? fc.record({ row: fc.constant(kind), at: fc.nat(50) })
    : fc.constantFrom("footnote-extract-1", "vendor/with-fallback");
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: fc.constantFrom("doc_1", "job_zz", "chatcmpl-0", "nope") },
    { weight: 2, arbitrary: hostileText },
  );
};

const bytes: Arbitrary<Body> = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...BROKEN).map((text) => new TextEncoder().encode(text)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }) },
  )
  .map((value) => ({ kind: "bytes", bytes: value }));

function bodyOf({ content }: Operation): Arbitrary<Body> {
  if (content.some(([type]) => type === JSON_LINES)) {
    return linesOf();
  }
  const [json, form] = [
    content.find(([type]) => type.endsWith("json")),
    content.find(([type]) => type.startsWith("multi")),
  ];
  if (!json && !form) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant<Body>({ kind: "none" }) },
      { weight: 1, arbitrary: bytes },
    );
  }
  const value = validValue((json ?? form)?.[1] ?? {}, HINTS);
  const asJson = (drawn: Arbitrary<unknown>) =>
    drawn.map((each): Body => ({ kind: "json", value: each }));
  const forms = validValue(form?.[1] ?? {}, HINTS);
  const asForm = (drawn: Arbitrary<unknown>) =>
    drawn.map((each): Body => ({ kind: "form", fields: Object(each) }));
  return fc.oneof(
    { weight: 6, arbitrary: asJson(value) },
    { weight: 8, arbitrary: asJson(damaged(value)) },
    { weight: 2, arbitrary: bytes },
    ...(form
      ? [
          { weight: 3, arbitrary: asForm(forms) },
          { weight: 3, arbitrary: asForm(damaged(forms)) },
        ]
      : []),
  );
}

/** Lines for a batch of verifications. */
function linesOf(): Arbitrary<Body> {
  const single = operations.find(({ name }) => name === "POST /v1/citations/verify");
  const line = validValue(single?.content[0]?.[1] ?? {}, HINTS);
  const lines = (drawn: Arbitrary<unknown>) =>
    fc.array(drawn, { maxLength: 4 }).map((values): Body => ({ kind: "lines", values }));
  return fc.oneof(
    { weight: 4, arbitrary: lines(line) },
    { weight: 4, arbitrary: lines(damaged(line)) },
    { weight: 2, arbitrary: bytes },
  );
}

function queryOf({ parameters }: Operation): Arbitrary<[string, string][]> {
  const known = parameters.filter((each) => each.in === "query");
  const pairs = known.map(({ name, schema }) =>
    fc.tuple(fc.constant(name), (HINTS[name] ?? validValue(schema, HINTS)).map(asText)),
  );
  const names = fc.oneof(
    fc.constantFrom("limit", "after", "metadata[a]", ...known.map(({ name }) => name)),
    hostileText,
  );
  const wrong = fc.tuple(names, fc.oneof(hostileText, fc.integer().map(String)));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 3,
      arbitrary: pairs.length
        ? fc.subarray(pairs).chain((some) => fc.tuple(...some))
        : fc.constant<[string, string][]>([]),
    },
    { weight: 2, arbitrary: fc.array(wrong, { maxLength: 3 }) },
  );
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const extraHeaders: Arbitrary<[string, string][]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<[string, string][]>([]) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...MEDIA_TYPES)
      .map((type): [string, string][] => [["content-type", type]]),
  },
);

const credential: Arbitrary<Drawn["credential"]> = fc.oneof(
  { weight: 20, arbitrary: fc.constant("key" as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom("none" as const, "malformed" as const, "unknown" as const),
  },
);

function requestTo(operation: Operation): Arbitrary<Drawn> {
  const names = operation.parameters.filter((each) => each.in === "path").map(({ name }) => name);
  return fc.record({
    operation: fc.constant(operation.name),
    method: fc.constant(operation.method),
    path: fc.constant(operation.path),
    ids: fc.tuple(...names.map((name) => idOf(name, operation.path))),
    query: queryOf(operation),
    headers: extraHeaders,
    credential,
    body: bodyOf(operation),
  });
}

/** Requests to unknown paths, or with an unsupported method. */
const astray: Arbitrary<Drawn> = fc.record({
  operation: fc.constant("astray"),
  method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
  path: fc.oneof(
    fc.constantFrom("/v1", "/v1/", "/v1//models", "/v1/{x}", "/v1/kb/{x}/{x}", "/v1/../v1/{x}"),
    fc.constantFrom(...operations.map(({ path }) => path)),
  ),
  ids: fc.tuple(hostileText),
  query: fc.constant([]),
  headers: extraHeaders,
  credential,
  body: fc.constant<Body>({ kind: "none" }),
});

/** Requests to every operation in openapi.json: valid, nearly valid, and broken. */
export const anyRequest: Arbitrary<Drawn> = fc.oneof(
  ...operations.map((operation) => ({
    // There are more ways to break a request with a body.
    weight: operation.content.length > 0 ? 6 : 2,
    arbitrary: requestTo(operation),
  })),
  { weight: 2, arbitrary: astray },
);
