import { type Command, runProgram } from "./command/run";
import { importOptions, listOptions, reembedOptions, removeOptions } from "./kb/options";

// `npm run kb`: what an operator does with the knowledge bases from a shell.

const HELP = `Usage: npm run kb -- <command>

  import <path> --scope public_kb   load a folder or file: Markdown, text, PDF, DOCX and the other formats of
                                    an upload, and JSONL or JSONL.gz with a document a line
      --source-type <name>          the source type of every document, in place of what it says itself
      --concurrency <n>             how many batches are under way at a time (default 4)
  list [--scope <scope>] [--json]   documents and chunks by source type, and what has vectors
  remove --source-type <name> | --document <id> | --all
      --yes                         without asking
  reembed [--collection <id>]       index again what an older version indexed, and embed what has no vector
                                    of the configured model; then drop the vectors of other models
  help                              this text

Each may be stopped and run again: it goes on where it was.
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
