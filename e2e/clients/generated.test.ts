import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GO, HEY_API, ORVAL, PYTHON } from "./generated-programs";
import { apiKey, baseURL } from "./product";
import { QUESTION } from "./scenario";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const api = path.join(root, "public/openapi.json");
const cache = path.join(root, "node_modules/.cache/client-generators");
const PYTHON_GENERATOR = "openapi-python-client==0.29.1";
const GO_GENERATOR = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
const SLOW_MS = 300_000;

let folder = "";

beforeAll(async () => {
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(path.join(os.tmpdir(), "footnote-generated-"));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "leave.txt"), "Staff have 30 days of leave a year.");
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function call(command: string, args: string[], cwd = folder): Promise<string> {
  const env = {
    ...process.env,
    ...{ BASE_URL: new URL(baseURL).origin, KEY: apiKey, QUESTION },
    FILE: path.join(folder, "leave.txt"),
  };
  const options = { cwd, env, timeout: SLOW_MS, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run(command, args, options).catch(
    (failed: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${command} failed: ${failed.message}\n${failed.stdout}${failed.stderr}`);
    },
  );
  return stdout;
}

const local = (name: string) => path.join(root, "node_modules/.bin", name);
const generator = (name: string) => path.join(import.meta.dirname, "node_modules/.bin", name);

/** What a program printed: its upload was accepted, and its stream has the sources, an answer and an end. */
function expectAnswer(printed: string): void {
  const { id, stream } = JSON.parse(printed);
  expect(id).toMatch(/^doc_/);
  expect(stream).toContain('"citations":[{"id":1');
  expect(stream).toContain('"finish_reason":"stop"');
  expect(stream.trimEnd()).toMatch(/data: \[DONE\]$/);
}

/** Strictly, with every file that the program imports. */
async function compile(program: string): Promise<void> {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, types: ["node"] },
    ...{ module: "esnext", moduleResolution: "bundler", target: "es2022", skipLibCheck: true },
    lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
  };
  const config = path.join(folder, `${program}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions, files: [`${program}.ts`] }));
  await call(local("tsc"), ["-p", config]);
}

/** Why a program isn't there, or null once `install` has run. */
async function reasonToSkip(install: () => Promise<unknown>): Promise<string | null> {
  return install().then(
    () => null,
    (error: Error) => `not installed: ${error.message.slice(0, 200)}`,
  );
}

describe("the OpenAPI document", () => {
  it("passes Redocly's recommended rules without a warning", { timeout: SLOW_MS }, async () => {
    const silent = ["REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true"];
    const lint = ["lint", "--extends=recommended", "--format=json", api];
    const printed = await call("env", [...silent, generator("redocly"), ...lint]);
    expect(JSON.parse(printed).totals).toMatchObject({ errors: 0, warnings: 0 });
  });
});

describe("generated clients", () => {
  it(
    "of openapi-typescript and hey-api compile, upload a file and read a stream",
    async () => {
      const types = path.join(folder, "types.ts");
      const out = path.join(folder, "hey-api");
      // By default it requires the fields of a request that have a default.
      const optional = "--default-non-nullable=false";
      await call(generator("openapi-typescript"), [api, optional, "-o", types]);
      await call(generator("openapi-ts"), ["-i", api, "-o", out, "-c", "@hey-api/client-fetch"]);
      await writeFile(path.join(folder, "program.ts"), HEY_API);
      await compile("program");
      expectAnswer(await call(local("tsx"), ["program.ts"]));
    },
    SLOW_MS,
  );

  it(
    "of orval compile, upload a file and read a stream",
    async () => {
      const output = { target: "orval/api.ts", client: "fetch", mode: "split" };
      const base = { baseUrl: new URL(baseURL).origin };
      const config = { footnote: { input: api, output: { ...output, ...base } } };
      await writeFile(
        path.join(folder, "orval.config.mjs"),
        `export default ${JSON.stringify(config)};`,
      );
      await call(generator("orval"), ["--config", "orval.config.mjs"]);
      await writeFile(path.join(folder, "orval-program.ts"), ORVAL);
      await compile("orval-program");
      expectAnswer(await call(local("tsx"), ["orval-program.ts"]));
    },
    SLOW_MS,
  );

  it(
    "of openapi-python-client upload a file and read a stream",
    async ({ skip }) => {
      const venv = path.join(cache, "python");
      const bin = path.join(venv, "bin");
      const missing = await reasonToSkip(async () => {
        if (!(await readdir(bin).catch(() => [] as string[])).includes("openapi-python-client")) {
          await call("python3", ["-m", "venv", venv]);
          await call(path.join(bin, "pip"), ["install", "--quiet", PYTHON_GENERATOR]);
        }
      });
      skip(missing !== null, missing ?? "");
      const out = path.join(folder, "footnote");
      const args = ["generate", "--path", api, "--output-path", out, "--meta", "none"];
      await call("env", [`PATH=${bin}:${process.env.PATH}`, "openapi-python-client", ...args]);
      await writeFile(path.join(folder, "program.py"), PYTHON);
      expectAnswer(await call(path.join(bin, "python"), ["program.py"]));
    },
    SLOW_MS,
  );

  it(
    "of oapi-codegen compile, upload a file and read a stream",
    async ({ skip }) => {
      const program = path.join(cache, "oapi-codegen");
      const missing = await reasonToSkip(async () => {
        if (!(await readdir(cache)).includes("oapi-codegen")) {
          await call("env", [`GOBIN=${cache}`, "go", "install", GO_GENERATOR]);
        }
      });
      skip(missing !== null, missing ?? "");
      const module = path.join(folder, "go");
      await mkdir(module);
      const client = await call(program, ["-generate", "types,client", "-package", "main", api]);
      await writeFile(path.join(module, "client.go"), client);
      await writeFile(path.join(module, "main.go"), GO);
      await call("go", ["mod", "init", "example.com/footnote"], module);
      await call("go", ["mod", "tidy"], module);
      await call("go", ["vet", "./..."], module);
      expectAnswer(await call("go", ["run", "."], module));
    },
    SLOW_MS,
  );
});
