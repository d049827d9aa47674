import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { command, readCount, runProgram, UsageError } from "./command/run";
import { evaluateCommand } from "./kb/evaluate/options";
import { syncCommand } from "./kb/sync/options";

// `npm run kb`: manages the knowledge bases from a shell.

const HELP = `Usage: npm run kb -- <command>

  import <path> --scope public_kb   import a folder or file in any upload format, or JSONL (also .gz) with one
                                    document per line
      --source-type <name>          override the source type of every document
      --concurrency <n>             batches in progress at a time (default 4)
  list [--scope <scope>] [--json]   count documents and chunks by source type, and show index coverage
  remove --source-type <name> | --document <id> | --all
      --yes                         don't ask for confirmation
  reembed [--collection <id>]       reindex chunks of an older version, embed chunks without a vector of the
                                    configured model, then drop vectors of other models
  add <url>                         download a document into public_kb, from the public internet only
      --title <text> --source-type <name>
  retractions <file.csv>            mark the documents of public_kb that the list names by DOI, PMID, URL or
                                    external_id, such as the Retraction Watch database
      --dry-run                     only count them
  sync <folder>                     upload the folder's new and changed files through the API, and remove the
                                    documents of those that are gone; the key is read from FOOTNOTE_API_KEY
      --base-url <url>              default FOOTNOTE_BASE_URL, or http://localhost:3000
      --scope customer_kb|personal_kb  (default customer_kb)
      --prefix <text>               before each relative path in external_id (default: the folder's name and /)
      --store <name>                add the documents to this vector store, by name or id; created if there is none
      --attributes <name=value,…>   set these attributes; an empty value removes one
      --source-type <name> --concurrency <n>
      --dry-run                     show what would change
      --allow-empty                 remove every document when the folder has no files
  evaluate <file>                   ask the questions of a CSV or JSONL file, and measure search and answers
      --sources <scope,…>           knowledge bases to search (default: all that --account and --person have)
      --account <id> --person <id>  whose documents; nothing is charged to them
      --model <id>                  any configured model (default: the built-in one)
      --no-answers                  evaluate search alone
      --verify off|rules|model      how cited sentences are judged (default rules)
      --query last|conversation     what is searched for when a question has earlier turns (default last)
      --context passage|section     how much of a document each source shows (default passage)
      --top-k <n> --min-score <n> --source-types <name,…>
      --concurrency <n>             questions asked at a time (default 1)
      --limit <n>                   only the first questions
      --output <file.jsonl>         write each result, and a summary beside it; continues a run that was stopped
      --compare <file.jsonl>        show the difference to an earlier output
  help                              show this help

Every command can be stopped and run again. It continues where it stopped.
`;

const DEFAULT_CONCURRENCY = 4;

function checkedSourceType(sourceType: string | null): string | null {
  if (sourceType !== null && !/^[a-z0-9_-]{1,64}$/i.test(sourceType)) {
    throw new UsageError("--source-type takes 1 to 64 letters, digits, - or _.");
  }
  return sourceType;
}

await runProgram({
  name: "kb",
  help: HELP,
  commands: {
    import: command(
      {
        scope: { type: "string" },
        "source-type": { type: "string" },
        concurrency: { type: "string" },
      },
      ({ values: { scope, "source-type": sourceType = null, concurrency }, positionals }) => {
        const [root, ...more] = positionals;
        if (!root || more.length > 0) {
          throw new UsageError(
            "Name one file or folder: npm run kb -- import <path> --scope public_kb.",
          );
        }
        if (scope !== "public_kb") {
          throw new UsageError(
            "Pass --scope public_kb. Documents of customer_kb and personal_kb are uploaded through the API.",
          );
        }
        return {
          root,
          sourceType: checkedSourceType(sourceType),
          concurrency: readCount("concurrency", concurrency, 64) ?? DEFAULT_CONCURRENCY,
        };
      },
      async (options) => (await import("./kb/import")).runImport(options),
    ),
    list: command(
      { scope: { type: "string" }, json: { type: "boolean", default: false } },
      ({ values, positionals }) => {
        const scope = KnowledgeScope.nullable().safeParse(values.scope ?? null);
        if (!scope.success || positionals.length > 0) {
          throw new UsageError(
            "Usage: npm run kb -- list [--scope public_kb|customer_kb|personal_kb] [--json]",
          );
        }
        return { scope: scope.data, isJson: values.json };
      },
      async (options) => (await import("./kb/list")).runList(options),
    ),
    remove: command(
      {
        scope: { type: "string", default: "public_kb" },
        "source-type": { type: "string" },
        document: { type: "string" },
        all: { type: "boolean" },
        yes: { type: "boolean", default: false },
      },
      ({ values: { scope, "source-type": sourceType, document: id, all, yes }, positionals }) => {
        if (positionals.length > 0 || scope !== "public_kb") {
          throw new UsageError(
            "Only documents of public_kb can be removed here. Use the API for customer_kb and personal_kb.",
          );
        }
        const [selection, ...others] = [
          ...(id === undefined ? [] : [{ id }]),
          ...(sourceType === undefined ? [] : [{ sourceType }]),
          ...(all ? [{ all }] : []),
        ];
        if (!selection || others.length > 0) {
          throw new UsageError(
            "Select documents with one of --source-type <name>, --document <id> or --all.",
          );
        }
        return { selection, isConfirmed: yes };
      },
      async (options) => (await import("./kb/remove")).runRemove(options),
    ),
    reembed: command(
      { collection: { type: "string" } },
      ({ values: { collection = null }, positionals }) => {
        if (positionals.length > 0) {
          throw new UsageError("Usage: npm run kb -- reembed [--collection <id>]");
        }
        return collection;
      },
      async (collectionId) => (await import("./kb/reembed")).runReembed(collectionId),
    ),
    evaluate: evaluateCommand,
    add: command(
      { title: { type: "string" }, "source-type": { type: "string" } },
      ({ values: { title = null, "source-type": sourceType = null }, positionals }) => {
        const [url, ...more] = positionals;
        if (!url || more.length > 0) {
          throw new UsageError(
            "Name one address: npm run kb -- add https://example.org/guideline.pdf",
          );
        }
        return { url, title, sourceType: checkedSourceType(sourceType) };
      },
      async (options) => (await import("./kb/add")).runAdd(options),
    ),
    retractions: command(
      { "dry-run": { type: "boolean", default: false } },
      ({ values: { "dry-run": isDryRun }, positionals: [file, ...more] }) => {
        if (!file || more.length > 0) {
          throw new UsageError("Name one list: npm run kb -- retractions retractions.csv");
        }
        return { file, isDryRun };
      },
      async (options) => (await import("./kb/retractions")).runRetractions(options),
    ),
  },
  remote: { sync: syncCommand },
  close: async () =>
    (await import("@/lib/library/documents/processes/parser-pool")).closeParserPool(),
});
