import { type Env, isLocalModel } from "@/lib/platform/env";

interface Prefixes {
  query: string;
  passage: string;
}

const RETRIEVAL = "Represent this sentence for searching relevant passages: ";

/** What models were trained to read before each text, by their ids at any upstream. The first that matches counts. */
const TRAINED: readonly [id: RegExp, prefixes: Prefixes][] = [
  [/\be5-(?:small|base|large)(?!.*instruct)/i, { query: "query: ", passage: "passage: " }],
  [/\bbge-(?:small|base|large)-en/i, { query: RETRIEVAL, passage: "" }],
  [/\bmxbai-embed-large/i, { query: RETRIEVAL, passage: "" }],
  [/\barctic-embed(?:2|.*v2)/i, { query: "query: ", passage: "" }],
  [/\barctic-embed/i, { query: RETRIEVAL, passage: "" }],
  [/\bnomic-embed-text/i, { query: "search_query: ", passage: "search_document: " }],
  [
    /\bembedding-?gemma/i,
    { query: "task: search result | query: ", passage: "title: none | text: " },
  ],
];

/** Empty for a model that isn't known, or needs none. */
export function trainedPrefixes(model: string): Prefixes {
  return TRAINED.find(([id]) => id.test(model))?.[1] ?? { query: "", passage: "" };
}

/** Advice about prefixes that the model needs and the settings lack; null if none is missing. Some servers add them themselves. */
export function missingPrefixes(
  env: Pick<
    Env,
    "EMBEDDING_MODEL" | "EMBEDDING_BASE_URL" | "EMBEDDING_QUERY_PREFIX" | "EMBEDDING_PASSAGE_PREFIX"
  >,
): string | null {
  const { EMBEDDING_MODEL: model = "", EMBEDDING_QUERY_PREFIX, EMBEDDING_PASSAGE_PREFIX } = env;
  const wanted = Object.entries(trainedPrefixes(model)).filter(([, prefix]) => prefix !== "");
  const isSet = isLocalModel(env) || EMBEDDING_QUERY_PREFIX || EMBEDDING_PASSAGE_PREFIX;
  if (isSet || wanted.length === 0) {
    return null;
  }
  const said = wanted.map(([kind, prefix]) => `EMBEDDING_${kind.toUpperCase()}_PREFIX="${prefix}"`);
  return `${model} was trained with prefixes, and without them it finds less. Unless its server adds them, set ${said.join(" and ")}.`;
}
