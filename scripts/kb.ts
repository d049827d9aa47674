import { type Command, runProgram } from "./command/run";
import { importOptions, listOptions, reembedOptions, removeOptions } from "./kb/options";

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
  help                              show this help

Every command can be stopped and run again. It continues where it stopped.
`;

const COMMANDS: Record<string, Command> = {
  import: {
    options: {
      scope: { type: "string" },
      "source-type": { type: "string" },
      concurrency: { type: "string" },
    },
    prepare: (args) => {
      const options = importOptions(args);
      return async () => (await import("./kb/import")).runImport(options);
    },
  },
  list: {
    options: { scope: { type: "string" }, json: { type: "boolean" } },
    prepare: (args) => {
      const options = listOptions(args);
      return async () => (await import("./kb/list")).runList(options);
    },
  },
  remove: {
    options: {
      scope: { type: "string" },
      "source-type": { type: "string" },
      document: { type: "string" },
      all: { type: "boolean" },
      yes: { type: "boolean" },
    },
    prepare: (args) => {
      const options = removeOptions(args);
      return async () => (await import("./kb/remove")).runRemove(options);
    },
  },
  reembed: {
    options: { collection: { type: "string" } },
    prepare: (args) => {
      const options = reembedOptions(args);
      return async () => (await import("./kb/reembed")).runReembed(options);
    },
  },
};

await runProgram({
  name: "kb",
  help: HELP,
  commands: COMMANDS,
  close: async () => (await import("@/lib/documents/parse/pool")).closeParserPool(),
});
