import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { apiKey, baseURL } from "./product";
import { SCRIPTED_MODEL, script } from "./scenario";
import { runProgram, writeSnippet } from "./snippets";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(import.meta.dirname, "python");
const cache = path.join(root, "node_modules/.cache/python-clients");
const target = { origin: new URL(baseURL).origin, apiKey };
const INSTALL_MS = 300_000;
const PROGRAM_MS = 60_000;

/** Sets of packages that can be installed together. Beside the first, they run on demand: PYTHON_CLIENTS=all. */
const SETS: [name: string, programs: string[]][] = [
  ["requirements", ["openai_client", "langchain_model", "litellm_sdk", "pydantic_ai_agent"]],
  ["more", ["agents_run", "dspy_lm", "haystack_generator", "instructor_model"]],
  ["llama-index", ["llama_index_llm"]],
];
/** The built-in model writes no JSON. */
const SIGNS = `What are the signs of a stroke? ${script({ text: '{"signs":["droop"]}' })}`;

Object.assign(process.env, {
  HAYSTACK_TELEMETRY_ENABLED: "False",
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
});

/** Why packages aren't there, or null. */
async function install(name: string, venv: string): Promise<string | null> {
  const pip = ["-m", "pip", "install", "--quiet", "--no-compile"];
  const file = path.join(folder, `${name}.txt`);
  await mkdir(cache, { recursive: true });
  return run("python3", ["-m", "venv", venv])
    .then(() => run(path.join(venv, "bin/python"), [...pip, "-r", file]))
    .then(
      () => null,
      ({ message }: Error) => `no Python registry: ${message.slice(0, 200)}`,
    );
}

describe.each(SETS)("the Python clients of %s", (name, programs) => {
  const isRun = name === "requirements" || process.env.PYTHON_CLIENTS === "all";
  const venv = path.join(cache, name);
  let missing: string | null = null;

  beforeAll(async () => {
    missing = isRun ? await install(name, venv) : "runs with PYTHON_CLIENTS=all";
  }, INSTALL_MS);

  it.for(programs)(
    "%s answers as its guide says",
    { timeout: PROGRAM_MS },
    async (program, { skip }) => {
      skip(missing !== null, `skipped: ${missing}`);
      const file = `${program}.py`;
      const code = await readFile(path.join(folder, file), "utf8");
      const scripted = code.includes('"gpt-5-mini"')
        ? code
            .replace('"gpt-5-mini"', JSON.stringify(SCRIPTED_MODEL))
            .replace('"What are the signs of a stroke?"', JSON.stringify(SIGNS))
        : code;
      const written = await writeSnippet(file, scripted, target);
      expect(await runProgram([path.join(venv, "bin/python"), written], target)).not.toBe("");
    },
  );

  it.each(programs)("%s is in the guide as it runs", async (program) => {
    const code = await readFile(path.join(folder, `${program}.py`), "utf8");
    const guide = await readFile(path.join(root, "docs/python-frameworks.md"), "utf8");
    expect(guide).toContain(code.split("\n# Checks\n")[0]?.trim());
  });
});
