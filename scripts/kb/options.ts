import { KnowledgeScope } from "@/lib/auth/schema";
import type { Args } from "../command/run";
import { UsageError } from "../command/usage-error";

export interface ImportOptions {
  root: string;
  /** In place of what the documents say themselves. */
  sourceType: string | null;
  concurrency: number;
}

/** Which documents of the public knowledge base: one, those of a source type, or all. */
export interface RemoveOptions {
  selection: { id: string } | { sourceType: string } | { all: true };
  isConfirmed: boolean;
}

const DEFAULT_CONCURRENCY = 4;

export function importOptions({ values, positionals }: Args): ImportOptions {
  const [root, ...more] = positionals;
  if (!root || more.length > 0) {
    throw new UsageError("Name one file or folder: npm run kb -- import <path> --scope public_kb.");
  }
  if (values.scope !== "public_kb") {
    throw new UsageError(
      "Only public_kb is filled from here, with --scope public_kb; documents of customer_kb and personal_kb are uploaded through the API.",
    );
  }
  const concurrency = Number(values.concurrency ?? DEFAULT_CONCURRENCY);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) {
    throw new UsageError("--concurrency takes a whole number from 1 to 64.");
  }
  const sourceType = values["source-type"];
  if (typeof sourceType === "string" && !/^[a-z0-9_-]{1,64}$/i.test(sourceType)) {
    throw new UsageError("--source-type takes 1 to 64 letters, digits, - or _.");
  }
  return { root, sourceType: typeof sourceType === "string" ? sourceType : null, concurrency };
}

export function listOptions({ values, positionals }: Args) {
  const scope = KnowledgeScope.optional().safeParse(values.scope);
  if (!scope.success || positionals.length > 0) {
    throw new UsageError(
      "Name a scope if any: npm run kb -- list --scope public_kb, customer_kb or personal_kb.",
    );
  }
  return { scope: scope.data ?? null, isJson: values.json === true };
}

export function removeOptions({ values, positionals }: Args): RemoveOptions {
  if (positionals.length > 0 || (values.scope !== undefined && values.scope !== "public_kb")) {
    throw new UsageError(
      "Only documents of public_kb are removed from here; those of customer_kb and personal_kb through the API.",
    );
  }
  const choices: RemoveOptions["selection"][] = [
    ...(typeof values.document === "string" ? [{ id: values.document }] : []),
    ...(typeof values["source-type"] === "string" ? [{ sourceType: values["source-type"] }] : []),
    ...(values.all ? [{ all: true as const }] : []),
  ];
  const [selection, ...others] = choices;
  if (!selection || others.length > 0) {
    throw new UsageError(
      "Say which documents with one of --source-type <name>, --document <id> and --all.",
    );
  }
  return { selection, isConfirmed: values.yes === true };
}

export function reembedOptions({ values, positionals }: Args) {
  if (positionals.length > 0) {
    throw new UsageError("Name a collection if any: npm run kb -- reembed --collection <id>.");
  }
  return { collectionId: typeof values.collection === "string" ? values.collection : null };
}
