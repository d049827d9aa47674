import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");
const document = path.join(root, "public/openapi.json");
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
    const { components, servers } = JSON.parse(await readFile(document, "utf8"));
    expect(servers).toEqual([{ url: "/", description: expect.any(String) }]);
    const { ChatCompletionRequest, CitationsRequest, KnowledgeScope } = components.schemas;
    const { properties } = ChatCompletionRequest;
    expect(KnowledgeScope.enum).toEqual(["public_kb", "customer_kb", "personal_kb"]);
    const fields = [...Object.entries(properties), ...Object.entries(CitationsRequest.properties)];
    const undescribed = fields.filter(
      ([, field]) => !(field as { description?: string }).description,
    );
    expect(undescribed.map(([name]) => name)).toEqual(["stream_options"]);
  });
});
