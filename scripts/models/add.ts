import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MANIFEST, type Manifest } from "@/lib/models/local/local-models";
import { ensureInstalled, root } from "../install.mjs";
import { requireModel, testModel } from "./manage";

interface Input {
  id: string;
  /** A folder, or the address that the files are below. */
  source: string;
  weights: string;
  sha256?: string | undefined;
}

const DOWNLOAD_MS = 30 * 60_000;

/** Exit code as of `testModel`. Throws when a file is missing or isn't the expected one; run again, it resumes a download. */
export async function addModel({ id, source, weights, sha256 }: Input): Promise<number> {
  const { folder, runtime } = requireModel(id);
  // A download is resumed from its own address only.
  const address = createHash("sha256").update(`${source} ${weights}`).digest("hex").slice(0, 8);
  const incoming = `${folder}.${address}`;
  fs.mkdirSync(incoming, { recursive: true });
  await take(source, weights, path.join(incoming, "model.onnx"));
  await take(source, "tokenizer.json", path.join(incoming, "tokenizer.json"));
  const manifest: Manifest = {
    source,
    files: {
      "model.onnx": digest(path.join(incoming, "model.onnx")),
      "tokenizer.json": digest(path.join(incoming, "tokenizer.json")),
    },
  };
  if (sha256 && sha256.toLowerCase() !== manifest.files["model.onnx"]) {
    fs.rmSync(incoming, { recursive: true });
    throw new Error(
      `${weights} has the SHA-256 ${manifest.files["model.onnx"]}. Nothing was added.`,
    );
  }
  fs.writeFileSync(path.join(incoming, MANIFEST), JSON.stringify(manifest, null, 2));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(incoming, folder);
  installRuntime(runtime);
  return testModel(id);
}

function digest(file: string): string {
  return createHash("sha256").update(fs.readFileSync(file)).digest("hex");
}

async function take(source: string, name: string, target: string): Promise<void> {
  if (/^https?:/.test(source)) {
    await download(`${source.replace(/\/$/, "")}/${name}`, target);
  } else {
    fs.copyFileSync(path.join(source, name), target);
  }
}

/** Resumes an earlier download, which is whole once it has its own name. */
async function download(url: string, target: string): Promise<void> {
  const part = `${target}.part`;
  const size = fs.existsSync(part) ? fs.statSync(part).size : 0;
  const response = await fetch(url, {
    headers: { range: `bytes=${size}-` },
    signal: AbortSignal.timeout(DOWNLOAD_MS),
  });
  if (!response.ok || !response.body) {
    fs.rmSync(part, { force: true });
    throw new Error(`${url} answered ${response.status}.`);
  }
  const flags = response.status === 206 ? "a" : "w";
  await pipeline(Readable.fromWeb(response.body as never), fs.createWriteStream(part, { flags }));
  fs.renameSync(part, target);
}

/** Packages of pinned versions and checksums, beside the models: few servers need their 300 MB, 45 of them for one system. */
function installRuntime(folder: string): void {
  fs.cpSync(path.join(root, "scripts/models/runtime"), folder, { recursive: true });
  ensureInstalled({ folder });
  const bin = path.join(folder, "node_modules/onnxruntime-node/bin");
  for (const system of fs.globSync("*/*/*", { cwd: bin })) {
    if (!system.endsWith(path.join(process.platform, process.arch))) {
      fs.rmSync(path.join(bin, system), { recursive: true });
    }
  }
}
