import { SearchBounds } from "@/lib/library/retrieval/schema";
import { KnowledgeScope, QueryMode } from "@/lib/platform/auth/schema";
import { command, readCount, toPath, UsageError } from "../../command/run";
import type { EvaluateOptions } from "./prepare";

const USAGE =
  "Name one questions file: npm run kb -- evaluate <file.csv or .jsonl>; see npm run kb -- help.";

const text = { type: "string" } as const;
const ARGUMENTS = {
  sources: text,
  account: text,
  person: text,
  model: text,
  "no-answers": { type: "boolean", default: false },
  verify: { type: "string", default: "rules" },
  query: { type: "string", default: "last" },
  "top-k": text,
  "min-score": text,
  context: { type: "string", default: "passage" },
  "source-types": text,
  concurrency: { type: "string", default: "1" },
  output: text,
  compare: text,
  limit: text,
} as const;

type Values = Partial<Record<keyof typeof ARGUMENTS, string | boolean>>;

export const evaluateCommand = command(
  ARGUMENTS,
  ({ values, positionals }) => readOptions(values, positionals),
  async (options) => (await import("../evaluate")).runEvaluate(options),
);

function readOptions(values: Values, positionals: readonly string[]): EvaluateOptions {
  const [file = "", ...more] = positionals;
  if (!file || more.length > 0) {
    throw new UsageError(USAGE);
  }
  const format = /\.(csv|jsonl|ndjson)$/i.exec(file)?.[1]?.toLowerCase();
  if (!format) {
    throw new UsageError("The name of the questions file must end in .csv or .jsonl.");
  }
  const [output = null, compare = null] = [values.output, values.compare].map((value) => {
    const named = textOf(value);
    return named && toPath(named);
  });
  if (output !== null && !/\.jsonl$/i.test(output)) {
    throw new UsageError("--output takes a file that ends in .jsonl.");
  }
  if (output !== null && output === compare) {
    throw new UsageError(
      "--output and --compare name the same file; a run differs in nothing from itself.",
    );
  }
  const model = textOf(values.model);
  if (values["no-answers"] && model !== null) {
    throw new UsageError(
      "--model answers questions, and --no-answers leaves answers out: pass one of them.",
    );
  }
  return {
    ...{ file, format: format === "csv" ? "csv" : "jsonl" },
    ...readStores(values),
    ...{ model, isAnswering: !values["no-answers"], verify: readVerify(values.verify) },
    query: readQuery(values.query),
    topK: readBound("top-k", values["top-k"], SearchBounds.top_k),
    minScore: readBound("min-score", values["min-score"], SearchBounds.min_score),
    context: readContext(values.context),
    sourceTypes: readSourceTypes(textOf(values["source-types"])),
    concurrency: readCount("concurrency", textOf(values.concurrency), 64) ?? 1,
    ...{ output, compare },
    limit: readCount("limit", textOf(values.limit)),
  };
}

/** By default everything that the account and the person can search. */
function readStores(values: Values): Pick<EvaluateOptions, "sources" | "account" | "person"> {
  const account = textOf(values.account);
  const person = textOf(values.person);
  const named = textOf(values.sources);
  const known = KnowledgeScope.options.join(",");
  const sources = KnowledgeScope.array().safeParse(named?.split(","));
  if (named !== null && !sources.success) {
    throw new UsageError(`--sources takes knowledge bases with commas between them: ${known}.`);
  }
  if (person !== null && account === null) {
    throw new UsageError("--person needs --account: persons belong to accounts.");
  }
  const searched: KnowledgeScope[] = sources.data ?? [
    "public_kb",
    ...(account === null ? [] : (["customer_kb"] as const)),
    ...(person === null ? [] : (["personal_kb"] as const)),
  ];
  if (account === null && searched.some((scope) => scope !== "public_kb")) {
    throw new UsageError("customer_kb and personal_kb need --account <id>.");
  }
  if (person === null && searched.includes("personal_kb")) {
    throw new UsageError("personal_kb needs --person <id>.");
  }
  return { sources: [...new Set(searched)], account, person };
}

function readVerify(value: string | boolean | undefined): EvaluateOptions["verify"] {
  if (value !== "off" && value !== "rules" && value !== "model") {
    throw new UsageError("--verify takes off, rules or model.");
  }
  return value;
}

function readQuery(value: string | boolean | undefined): QueryMode {
  const read = QueryMode.safeParse(value);
  if (!read.success) {
    throw new UsageError(`--query takes ${QueryMode.options.join(" or ")}.`);
  }
  return read.data;
}

function readContext(value: string | boolean | undefined): EvaluateOptions["context"] {
  if (value !== "passage" && value !== "section") {
    throw new UsageError("--context takes passage or section.");
  }
  return value;
}

function readSourceTypes(given: string | null): string[] | null {
  const read = SearchBounds.source_types.safeParse(given?.split(","));
  if (!read.success) {
    throw new UsageError(
      "--source-types takes names of 1 to 64 characters with commas between them.",
    );
  }
  return read.data ?? null;
}

type Bound = (typeof SearchBounds)["top_k" | "min_score"];

function readBound(name: string, value: string | boolean | undefined, bound: Bound): number {
  const given = textOf(value);
  const read = bound.safeParse(given === null ? undefined : Number(given));
  if (!read.success) {
    throw new UsageError(`--${name}: ${read.error.issues[0]?.message}.`);
  }
  return read.data;
}

function textOf(value: string | boolean | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
