import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { apiKey, baseURL } from "./product";
import { SCRIPTED_MODEL } from "./scenario";
import { codeOf } from "./snippets";

const run = promisify(execFile);
const PROGRAM = path.join(import.meta.dirname, "node_modules/.bin/codex");
const TURN_MS = 120_000;

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
async function codex({ home, work }: { home: string; work: string }, args: string[]) {
  const options = ["--json", "--skip-git-repo-check"];
  const promise = run(PROGRAM, ["exec", ...args, ...options], {
    cwd: work,
    timeout: TURN_MS,
    env: { ...process.env, CODEX_HOME: home, FOOTNOTE_API_KEY: apiKey },
  });
  promise.child.stdin?.end();
  const { stdout } = await promise;
  const events = stdout.split("\n").filter(Boolean);
  return events.map((line) => JSON.parse(line) as Event).flatMap(({ item }) => item ?? []);
}

function prompt(called: { name: string; arguments: object }[], text: string): string {
  const tool_calls = called.map(({ name, arguments: args }, index) => ({
    ...{ index, id: `call_${index}`, type: "function" },
    function: { name, arguments: JSON.stringify(args) },
  }));
  const deltas = [{ tool_calls }];
  // A strict upstream takes no field that chat completions don't have.
  return `script:${JSON.stringify({ deltas, finish: "tool_calls", text, isStrict: true })}`;
}

it("runs Codex as installed: a command, a function of a namespace, and a second turn", {
  timeout: 300_000,
}, async () => {
  const folders = await makeHome();
  const command = { name: "exec_command", arguments: { cmd: "echo footnote-$((40+2))" } };
  const close = { name: "multi_agent_v1__close_agent", arguments: { target: "nobody" } };
  const sandbox = ["-s", "danger-full-access"];
  const first = await codex(folders, [...sandbox, prompt([command, close], "Done.")]);
  expect(first).toContainEqual(
    expect.objectContaining({ type: "command_execution", aggregated_output: "footnote-42\n" }),
  );
  expect(first.at(-1)).toMatchObject({ type: "agent_message", text: "Done." });
  const sessions = await readSessions(folders.home);
  expect(sessions).toContain("invalid agent id");
  expect(sessions).not.toContain("unsupported call");
  const second = await codex(folders, ["resume", "--last", 'script:{"recalls":true}']);
  expect(second.at(-1)?.text).toContain('assistant: "Done."');
});

/** Everything that Codex noted of its sessions, such as what its functions returned. */
async function readSessions(home: string): Promise<string> {
  const { stdout } = await run("find", [path.join(home, "sessions"), "-name", "*.jsonl"]);
  const files = stdout.split("\n").filter(Boolean);
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}
