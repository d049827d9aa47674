import { KnowledgeScope } from "@/lib/auth/schema";
import type { Args } from "../command/run";
import { UsageError } from "../command/usage-error";

export interface ImportOptions {
  root: string;
  /** Overrides the documents' own source types. */
  sourceType: string | null;
  concurrency: number;
}

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
      "Pass --scope public_kb. Documents of customer_kb and personal_kb are uploaded through the API.",
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
      "Usage: npm run kb -- list [--scope public_kb|customer_kb|personal_kb] [--json]",
    );
  }
  return { scope: scope.data ?? null, isJson: values.json === true };
}

export function removeOptions({ values, positionals }: Args): RemoveOptions {
  if (positionals.length > 0 || (values.scope !== undefined && values.scope !== "public_kb")) {
    throw new UsageError(
      "Only documents of public_kb can be removed here. Use the API for customer_kb and personal_kb.",
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
      "Select documents with one of --source-type <name>, --document <id> or --all.",
    );
  }
  return { selection, isConfirmed: values.yes === true };
}

export function reembedOptions({ values, positionals }: Args) {
  if (positionals.length > 0) {
    throw new UsageError("Usage: npm run kb -- reembed [--collection <id>]");
  }
  return { collectionId: typeof values.collection === "string" ? values.collection : null };
}
