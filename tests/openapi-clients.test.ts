import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");
const document = path.join(root, "public/openapi.json");
/** Typical programs: correct calls compile, and a wrong field doesn't. */
const PROGRAM = `
import { getModels, postChatCompletions, postKbSearch } from "./client";
import type { paths } from "./types";

type Chat = paths["/v1/chat/completions"]["post"];
type Body = Chat["requestBody"]["content"]["application/json"];
type Chunk = Chat["responses"][200]["content"]["text/event-stream"];

const messages = [{ role: "user" as const, content: "What is asthma?" }];
export const body: Body = { model: "m", messages, citations: { enabled: true, sources: ["public_kb"] } };
// @ts-expect-error: there is no such knowledge base.
export const unknownScope: Body = { model: "m", messages, citations: { sources: ["web"] } };
// @ts-expect-error: top_k is a number.
export const wrongType: Body = { model: "m", messages, citations: { top_k: "8" } };
export const textOf = (chunk: Chunk): string => chunk.choices[0]?.delta.content ?? "";
export const titlesOf = (chunk: Chunk): string[] => (chunk.citations ?? []).map(({ title }) => title);

export async function ask() {
  const { data: models } = await getModels();
  const { data, error } = await postChatCompletions({ body });
  const { data: found } = await postKbSearch({ body: { query: "asthma" } });
  const verdict = data?.choices[0]?.message.annotations?.[0]?.url_citation.verification?.verdict;
  return [models?.data[0]?.id, verdict, error?.error.code, found?.data[0]?.similarity];
}
`;

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "footnote-openapi-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function tool(name: string, ...args: string[]) {
  const bin = path.join(root, "node_modules/.bin", name);
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return run(bin, args, { cwd: folder, env }).catch(
    (failed: { stdout: string; stderr: string }) => {
      throw new Error(`${name} failed:\n${failed.stdout}${failed.stderr}`);
    },
  );
}

describe("the OpenAPI document", () => {
  it("passes Redocly's recommended rules without a warning", async () => {
    const { stdout } = await tool(
      "redocly",
      "lint",
      "--extends=recommended",
      "--format=json",
      document,
    );
    expect(JSON.parse(stdout).totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  it("describes fields of requests and responses, with their values", async () => {
    const { paths, servers } = JSON.parse(await readFile(document, "utf8"));
    expect(servers).toEqual([{ url: "/", description: expect.any(String) }]);
    const { requestBody } = paths["/v1/chat/completions"].post;
    const { properties } = requestBody.content["application/json"].schema;
    const [citations] = properties.citations.anyOf;
    expect(citations.properties.sources.items.enum).toEqual([
      ...["public_kb", "customer_kb", "personal_kb"],
    ]);
    const fields = [...Object.entries(properties), ...Object.entries(citations.properties)];
    const undescribed = fields.filter(
      ([, field]) => !(field as { description?: string }).description,
    );
    expect(undescribed.map(([name]) => name)).toEqual(["stream_options"]);
  });

  it("gives clients that compile, from two generators", async () => {
    await Promise.all([
      tool("openapi-typescript", document, "-o", path.join(folder, "types.ts")),
      tool(
        "openapi-ts",
        "-i",
        document,
        "-o",
        path.join(folder, "client"),
        "-c",
        "@hey-api/client-fetch",
      ),
      writeFile(path.join(folder, "program.ts"), PROGRAM),
      writeFile(
        path.join(folder, "tsconfig.json"),
        JSON.stringify({
          compilerOptions: {
            ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, types: [] },
            ...{ module: "esnext", moduleResolution: "bundler", target: "es2022" },
            lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
          },
          files: ["program.ts"],
        }),
      ),
    ]);
    await tool("tsc", "-p", folder);
  }, 120_000);
});
