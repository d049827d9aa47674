import { beforeAll, describe, expect, it } from "vitest";
import { apiKey, baseURL } from "./product";
import { codeOf, isAvailable, runProgram, writeDocuments, writeSnippet } from "./snippets";

const target = { origin: baseURL.replace(/\/v1$/, ""), apiKey };
const [hasGo, hasJq, hasPython, hasPythonClients, hasLangChain] = await Promise.all([
  isAvailable("go", "version"),
  isAvailable("jq", "--version"),
  isAvailable("python3", "--version"),
  isAvailable("python3", "-c", "import openai, requests"),
  isAvailable("python3", "-c", "import langchain_openai"),
]);

/** What each guide's programs print. */
const TYPESCRIPT: [guide: string, printed: RegExp][] = [
  ["quickstart-typescript", /\[\d\] supported: [\s\S]*400 invalid_request model/],
  ["langchain", /\[\d\] Stroke[\s\S]*annotations/],
  ["agents", /\[1\][\s\S]*\[ '[\s\S]*\n1\n$/],
  ["retries", /\n200\n$/],
  ["idempotency", /true true/],
  ["pagination", /\d+ entries/],
  ["migrate-sonar", /\[\s+'/],
  ["migrate-azure", /completed/],
  ["quickstart", /\[1\][\s\S]*status: 'completed'/],
  ["streaming", /\[\d\]/],
  ["errors", /^400 invalid_request citations\.top_k req_/],
  ["citations", /verdict: 'supported'/],
  ["files-and-vector-stores", /2 pm to 8 pm/],
  ["filters", /second class/],
  ["keys", /\nTenant 7 revoked\n$/],
];
const PYTHON: [guide: string, printed: RegExp][] = [
  ["quickstart-python", /\[\d\] supported: [\s\S]*400 invalid_request citations\.top_k/],
  ["retries", /footnote-extract-1/],
  ["idempotency", /\[1\]/],
  ["pagination", /\d+ entries/],
  ["migrate-assistants", /handbook\.md completed[\s\S]*2 pm/],
  ["migrate-sonar", /\[1\]/],
  ["migrate-azure", /warfarin/],
  ["quickstart", /\[1\][\s\S]*completed/],
  ["streaming", /\[\d\][\s\S]*\n\d supported /],
  ["errors", /^400 invalid_request citations\.top_k req_/],
  ["citations", /\[1\] supported /],
  ["conversations", /^How is celiac disease diagnosed\?/],
  ["responses", /\[\d\][\s\S]*file_citation supported http/],
  ["stored-answers", /^$/],
  ["knowledge-bases", /^job_/],
  ["files-and-vector-stores", /handbook\.md [\s\S]*2 pm to 8 pm/],
  ["filters", /second class/],
  ["keys", /\nTenant 7 revoked\n$/],
];
const SHELL: [guide: string, printed: RegExp][] = [
  ["retries", /x-ratelimit-remaining-requests/i],
  ["limits", /x-ratelimit/i],
  ["presets", /"model":"footnote-extract-1[\s\S]*\[1\]/],
  ["citations", /"contradicted":1[\s\S]*"custom_id":"b"/],
  ["files-and-vector-stores", /"filename":"handbook\.md"[\s\S]*2 pm to 8 pm/],
  ["filters", /"status":"completed"[\s\S]*second class/],
  ["keys", /"footnote-extract-1"[\s\S]*"status":"revoked"/],
];
const GO: [guide: string, printed: RegExp][] = [
  ["quickstart-go", /\[\d\]/],
  ["files-and-vector-stores", /handbook\.md [\s\S]*2 pm to 8 pm/],
  ["filters", /Travel policy [\s\S]*economy class/],
  ["keys", /\d+ characters\nTenant 7 revoked\n$/],
];

describe("the guides' snippets", () => {
  beforeAll(writeDocuments);

  it.each(TYPESCRIPT)("of %s run in TypeScript", async (guide, printed) => {
    const file = await writeSnippet(`${guide}.mts`, await codeOf(guide, "typescript"), target);
    expect(await runProgram([process.execPath, "--import", "tsx", file], target)).toMatch(printed);
  });

  it.runIf(hasPythonClients).each(PYTHON)("of %s run in Python", async (guide, printed) => {
    const file = await writeSnippet(`${guide}.py`, await codeOf(guide, "python"), target);
    expect(await runProgram(["python3", file], target)).toMatch(printed);
  });

  it.runIf(hasLangChain)("of langchain run in Python", async () => {
    const file = await writeSnippet("langchain.py", await codeOf("langchain", "python"), target);
    expect(await runProgram(["python3", file], target)).toContain("req_");
  });

  it.runIf(hasPython)("are valid Python", async () => {
    for (const guide of [...PYTHON.map(([name]) => name), "langchain"]) {
      const file = await writeSnippet(`${guide}.py`, await codeOf(guide, "python"), target);
      await runProgram(["python3", "-m", "py_compile", file], target);
    }
  });

  it.runIf(hasJq)("of curl run in a shell", async () => {
    const code = (await codeOf("quickstart-curl", "bash")).replace(
      /^export .*$/m,
      "set -euo pipefail",
    );
    const file = await writeSnippet("quickstart.sh", code, target);
    expect(await runProgram(["bash", file], target)).toMatch(
      /\[\d\] supported: [\s\S]*data: \[DONE\][\s\S]*completed/,
    );
  });

  it.runIf(hasJq).each(SHELL)("of %s run in a shell", async (guide, printed) => {
    const file = await writeSnippet(`${guide}.sh`, await codeOf(guide, "bash"), target);
    expect(await runProgram(["bash", "-euo", "pipefail", file], target)).toMatch(printed);
  });

  it.runIf(hasGo).each(GO)("of %s run in Go", { timeout: 120_000 }, async (guide, printed) => {
    const file = await writeSnippet(`${guide}.go`, await codeOf(guide, "go"), target);
    expect(await runProgram(["go", "run", file], target)).toMatch(printed);
  });

  it("of Next.js stream an answer with its sources", async () => {
    const code = await codeOf("nextjs", "typescript", "app/api/chat/route.ts");
    const print = `
const messages = [{ id: "1", role: "user", parts: [{ type: "text", text: "What are the symptoms of asthma?" }] }];
const body = JSON.stringify({ messages });
console.log(await (await POST(new Request("http://localhost/api/chat", { method: "POST", body }))).text());`;
    const file = await writeSnippet("next-route.mts", code + print, target);
    const printed = await runProgram([process.execPath, "--import", "tsx", file], target);
    expect(printed).toContain('"type":"text-delta"');
    expect(printed).toContain('"type":"source-');
  });

  it("of the citations guide answer with the text and its annotations", async () => {
    const code = await codeOf("render-citations", "typescript", "app/api/ask/route.ts");
    const print = `
const body = JSON.stringify({ question: "What are the signs of a stroke?" });
console.log(await (await POST(new Request("http://localhost/api/ask", { method: "POST", body }))).text());`;
    const file = await writeSnippet("ask-route.mts", code + print, target);
    const printed = await runProgram([process.execPath, "--import", "tsx", file], target);
    expect(JSON.parse(printed)).toMatchObject({
      content: expect.stringContaining("[1]"),
      annotations: [{ type: "url_citation" }, ...JSON.parse(printed).annotations.slice(1)],
    });
  });
});
