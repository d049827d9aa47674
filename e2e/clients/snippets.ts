import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { PDFDocument } from "pdf-lib";
import { LOCAL_ADDRESS } from "@/components/docs/local-address";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
/** Inside `node_modules`, so that the snippets find the clients. */
const folder = path.join(import.meta.dirname, "node_modules/.cache/snippets");
const TIMEOUT_MS = 60_000;

/** For guides whose code goes on with the client of the page before. */
const CLIENTS: Record<string, string> = {
  python: `import os
from openai import OpenAI

client = OpenAI(base_url="${LOCAL_ADDRESS}/v1", api_key=os.environ["FOOTNOTE_API_KEY"])
`,
  typescript: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${LOCAL_ADDRESS}/v1", apiKey: process.env.FOOTNOTE_API_KEY });
`,
};

interface Target {
  /** Without `/v1`. */
  origin: string;
  apiKey: string;
}

/**
 * A guide's code in one language, as one program: its blocks in order, without those that show a file of their own, after
 * the client if it uses one that it doesn't create. With a `title`, that file.
 */
export async function codeOf(guide: string, language: string, title?: string): Promise<string> {
  const text = await readFile(path.join(root, `docs/${guide}.md`), "utf8");
  const blocks = [...text.matchAll(/^```(\w+)(?: title="([^"]+)")?\n([\s\S]*?)^```$/gm)];
  const code = blocks
    .filter(([, lang, name]) => lang === language && name === title)
    .map(([, , , lines]) => lines)
    .join("\n");
  const isContinued = /\bclient\./.test(code) && !/\bclient = /.test(code);
  return isContinued ? `${CLIENTS[language] ?? ""}${code}` : code;
}

/** Writes the files that the guides upload. */
export async function writeDocuments(): Promise<void> {
  const document = await PDFDocument.create();
  document.addPage().drawText("Visiting hours are from 2 pm to 8 pm.", { x: 50, y: 700, size: 12 });
  const bytes = await document.save();
  await mkdir(folder, { recursive: true });
  for (const name of ["handbook.pdf", "guideline.pdf"]) {
    await writeFile(path.join(folder, name), bytes);
  }
  const handbook = "# Handbook\n\nVisiting hours are from 2 pm to 8 pm.\n";
  await writeFile(path.join(folder, "handbook.md"), handbook);
}

/** Writes a guide's code with the product's address, and returns the file. */
export async function writeSnippet(
  name: string,
  code: string,
  { origin }: Target,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, name);
  await writeFile(file, code.replaceAll(LOCAL_ADDRESS, origin));
  return file;
}

/** Runs a program and returns what it prints. Throws with its errors if it fails. */
export async function runProgram(
  [command = "", ...args]: readonly string[],
  { apiKey }: Target,
): Promise<string> {
  const { stdout } = await run(command, args, {
    cwd: folder,
    timeout: TIMEOUT_MS,
    env: { ...process.env, FOOTNOTE_API_KEY: apiKey },
  });
  return stdout;
}

/** Whether a command succeeds on this machine, such as `python3 -c "import openai"`. */
export async function isAvailable(...[command = "", ...args]: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
