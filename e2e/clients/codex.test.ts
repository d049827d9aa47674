import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { apiKey, baseURL } from "./product";
import { SCRIPTED_MODEL } from "./scenario";
import { codeOf } from "./snippets";
import { installTools } from "./tools";

const run = promisify(execFile);
const TURN_MS = 120_000;

let tools: Awaited<ReturnType<typeof installTools>>;

beforeAll(async () => {
  tools = await installTools();
}, 330_000);

interface Event {
  item?: { type: string; text?: string; command?: string; aggregated_output?: string };
}

/** A home with the configuration that the guide prints, and a folder to work in. */
async function makeHome(): Promise<{ home: string; work: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-codex-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [home, work] = [path.join(folder, "home"), path.join(folder, "work")];
  await mkdir(home);
  await mkdir(work);
  const printed = await codeOf("codex", "toml");
  const config = printed
    .replace("http://localhost:3000/v1", baseURL)
    .replace('model = "gpt-5-mini"', `model = "${SCRIPTED_MODEL}"`);
  expect(config).toContain(baseURL);
  await writeFile(path.join(home, "config.toml"), config);
  return { home, work };
}

/** What Codex did in one turn. */
async function codex(bin: string, { home, work }: { home: string; work: string }, args: string[]) {
  const options = ["--json", "--skip-git-repo-check"];
  const promise = run(path.join(bin, "codex"), ["exec", ...args, ...options], {
    cwd: work,
    timeout: TURN_MS,
    env: { ...process.env, CODEX_HOME: home, FOOTNOTE_API_KEY: apiKey },
  });
  promise.child.stdin?.end();
  const { stdout } = await promise;
  const events = stdout.split("\n").filter(Boolean);
  return events.map((line) => JSON.parse(line) as Event).flatMap(({ item }) => item ?? []);
}

function prompt(called: { name: string; arguments: object }, text: string): string {
  const { name, arguments: args } = called;
  const call = { name, arguments: JSON.stringify(args) };
  const deltas = [{ tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] }];
  // A strict upstream takes no field that chat completions don't have.
  return `script:${JSON.stringify({ deltas, finish: "tool_calls", text, isStrict: true })}`;
}

describe("Codex as installed", () => {
  it("runs a command for the model, and resumes the session", { timeout: 300_000 }, async ({
    skip,
  }) => {
    if ("missing" in tools) {
      skip(tools.missing);
      return;
    }
    const folders = await makeHome();
    const command = { name: "exec_command", arguments: { cmd: "echo footnote-$((40+2))" } };
    const sandbox = ["-s", "danger-full-access"];
    const first = await codex(tools.bin, folders, [...sandbox, prompt(command, "It printed 42.")]);
    expect(first).toContainEqual(
      expect.objectContaining({ type: "command_execution", aggregated_output: "footnote-42\n" }),
    );
    expect(first.at(-1)).toMatchObject({ type: "agent_message", text: "It printed 42." });
    const next = ["resume", "--last", 'script:{"recalls":true}'];
    const second = await codex(tools.bin, folders, next);
    expect(second.at(-1)?.text).toContain('assistant: "It printed 42."');
  });

  it("finds the functions of a namespace by the calls it gets", { timeout: 300_000 }, async ({
    skip,
  }) => {
    if ("missing" in tools) {
      skip(tools.missing);
      return;
    }
    const folders = await makeHome();
    const close = { name: "multi_agent_v1__close_agent", arguments: { target: "nobody" } };
    const items = await codex(tools.bin, folders, [prompt(close, "Closed.")]);
    expect(items.at(-1)).toMatchObject({ type: "agent_message", text: "Closed." });
    const sessions = await readSessions(folders.home);
    expect(sessions).toContain("invalid agent id");
    expect(sessions).not.toContain("unsupported call");
  });
});

/** Everything that Codex noted of its sessions, such as what its functions returned. */
async function readSessions(home: string): Promise<string> {
  const { stdout } = await run("find", [path.join(home, "sessions"), "-name", "*.jsonl"]);
  const files = stdout.split("\n").filter(Boolean);
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}
