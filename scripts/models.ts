import { command, runProgram, UsageError } from "./command/run";

// `npm run models`: manages the embedding models that run on this machine.

const HELP = `Usage: npm run models -- <command>

  list                    show the models that can run on this machine, and which are added
  add <id> <folder|url>   copy or download the files of a model into DATA_DIR/models, install what runs it, and test it
      --weights <path>    the ONNX file below the folder or address (default model.onnx); tokenizer.json is at the top
      --sha256 <hex>      refuse any other ONNX file
  remove <id>             delete the files of a model
  test <id>               load a model, and show its speed and whether it tells passages apart
  help                    show this help

Restart the server after adding or removing a model.
`;

const manage = () => import("./models/manage");

function readId([id, ...rest]: readonly string[], others = 0): string {
  if (!id || rest.length !== others) {
    throw new UsageError("Name a model; npm run models -- list shows them.");
  }
  return id;
}

const onModel = (run: (id: string) => Promise<number>) =>
  command({}, ({ positionals }) => readId(positionals), run);

await runProgram({
  name: "models",
  help: HELP,
  commands: {},
  remote: {
    list: command(
      {},
      () => null,
      async () => (await manage()).listModels(),
    ),
    add: command(
      { weights: { type: "string", default: "model.onnx" }, sha256: { type: "string" } },
      ({ positionals, values }) => {
        return { ...values, id: readId(positionals, 1), source: positionals[1] ?? "" };
      },
      async (input) => (await import("./models/add")).addModel(input),
    ),
    remove: onModel(async (id) => (await manage()).removeModel(id)),
    test: onModel(async (id) => (await manage()).testModel(id)),
  },
});
