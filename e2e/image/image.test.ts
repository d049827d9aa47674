import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { scannedPdf } from "@/lib/testing/scans";
import { createDatabase, freePort } from "../product";
import { Image, type Run, root } from "./container";

const MAX_MEGABYTES = 400;
const START_MS = 120_000;
const JOB_MS = 120_000;
const POLL_MS = 50;
/** What builds the product, or came with npm. */
const BUILD_TOOLS = [
  ...["prisma", "@prisma/engines", "typescript", "tsx", "esbuild", "vite", "rolldown", "@rolldown"],
  ...["tailwindcss", "@tailwindcss", "lightningcss", "@vercel", "npm", "node", "openai", "vitest"],
].map((name) => `app/node_modules/${name}`);
const BUILD_PROGRAMS = ["npm", "npx", "gcc", "cc", "make", "python3", "git", "curl"];
const SCANNED = "The ward keeps naloxone in the blue cupboard.";

const hasBuildah = () => {
  try {
    return execFileSync("buildah", ["--version"], { stdio: "ignore" }) !== undefined;
  } catch {
    return false;
  }
};
const isPossible = process.getuid?.() === 0 && hasBuildah();
if (!isPossible) {
  console.log("image: skipped, because this machine has no buildah, or this isn't root");
}

let image: Image;

describe.runIf(isPossible)("the container image", () => {
  beforeAll(() => {
    // What a build made already, or one of its own.
    const name = process.env.FOOTNOTE_IMAGE || "localhost/footnote-test";
    if (!process.env.FOOTNOTE_IMAGE) {
      const folder = mkdtempSync(path.join(os.tmpdir(), "footnote-build-"));
      execFileSync(path.join(root, "deploy/image/build.sh"), [folder, name], { stdio: "inherit" });
      rmSync(folder, { recursive: true, force: true });
    }
    image = new Image(name);
  }, 1_200_000);
  afterAll(() => {
    image?.release();
    if (!process.env.FOOTNOTE_IMAGE) {
      image?.remove();
    }
  });

  it("is small", () => {
    const megabytes = (folder: string) =>
      Number(
        execFileSync("du", ["-sx", "--apparent-size", "--block-size=1000000", folder], {
          encoding: "utf8",
        }).split("\t")[0],
      );
    const all = megabytes(image.files);
    console.log(`image: ${all} MB, ${megabytes(path.join(image.files, "app"))} of it /app`);
    expect(all).toBeLessThanOrEqual(MAX_MEGABYTES);
  });

  it("has neither sources nor what builds them", () => {
    const found = (pattern: string) => globSync(pattern, { cwd: image.files });
    expect(found("app/**/*.{ts,tsx,mts,cts,map}")).toEqual([]);
    expect(found("app/node_modules/.bin")).toEqual([]);
    expect(found("app/node_modules/@next/swc*")).toEqual([]);
    expect(BUILD_TOOLS.filter((file) => existsSync(path.join(image.files, file)))).toEqual([]);
    const programs = BUILD_PROGRAMS.flatMap((name) => [`usr/bin/${name}`, `usr/local/bin/${name}`]);
    expect(programs.filter((file) => existsSync(path.join(image.files, file)))).toEqual([]);
  });

  it("has nothing of the machine that built it", () => {
    const files = globSync("{root,usr/local/etc,app,home/*}/{.npmrc,npmrc,.env*}", {
      cwd: image.files,
    });
    // A mount leaves its empty target behind.
    expect(files.filter((file) => statSync(path.join(image.files, file)).size > 0)).toEqual([]);
    expect(image.config.Env.map((pair) => pair.split("=")[0]).toSorted()).toEqual(
      ["DATA_DIR", "NEXT_TELEMETRY_DISABLED", "NODE_ENV", "PATH", "PORT"].toSorted(),
    );
  });

  it("is run by an unprivileged user, with a health check", () => {
    const users = readFileSync(path.join(image.files, "etc/passwd"), "utf8");
    expect(users).toMatch(new RegExp(`^${image.config.User}:[^:]*:1000:1000:`, "m"));
    expect(image.config.Volumes).toEqual({ "/app/.data": {} });
    expect(image.config.Healthcheck.Test[0]).toBe("CMD");
  });

  it("answers on the embedded database, on read-only files", { timeout: 300_000 }, async () => {
    const data = image.dataFolder();
    const server = await serve("the embedded database", data, {});
    const health = image.exec(image.config.Healthcheck.Test.slice(1), { data, env: server.env });
    expect(await health.ended).toBe(0);
    for (const page of ["/", "/docs/citations", "/docs/citations.md", "/sign-in"]) {
      expect((await fetch(server.url + page)).status, page).toBe(200);
    }
    const preview = await fetch(server.quoteImage);
    expect([preview.status, preview.headers.get("content-type")]).toEqual([200, "image/png"]);
    await uploadScan(server);
    expect(await server.run.stop()).toBe(143);
    expect(server.run.output()).not.toMatch(/EROFS|EACCES|Cannot find|"level":50/);
    await runCommands(data, server.env);
  });

  it.runIf(process.env.TEST_DATABASE_URL)(
    "answers on a PostgreSQL server, with a worker",
    { timeout: 300_000 },
    async () => {
      const data = image.dataFolder();
      const database = await createDatabase("image");
      onTestFinished(database.drop);
      const settings = { DATABASE_URL: database.url, RUN_JOBS: "false" };
      const server = await serve("PostgreSQL", data, settings);
      const worker = image.run(["worker"], { data, env: { ...server.env, LOG_LEVEL: "info" } });
      await until("the worker", START_MS, async () => worker.output().includes("worker ready"));
      await uploadScan(server);
      await runCommands(data, server.env);
      expect(await worker.stop()).toBe(0);
      expect(await server.run.stop()).toBe(143);
    },
  );
});

interface Asker {
  url: string;
  liveKey: string;
}

interface Server extends Asker {
  env: Record<string, string>;
  /** The address of the Open Graph image of its first answer's quote. */
  quoteImage: string;
  run: Run;
}

/** Starts the server with a demo account, and prints how long its first cited answer took. */
async function serve(name: string, data: string, settings: Record<string, string>) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...settings, PORT: String(port), APP_URL: url, LOG_LEVEL: "warn" };
  const startedAt = performance.now();
  const run = image.run(["server", "--demo"], { data, env });
  await until("the server", START_MS, async () => {
    expect(run.child.exitCode, run.output()).toBe(null);
    return run.output().includes("Footnote is ready");
  });
  const demo = JSON.parse(readFileSync(path.join(data, "demo.json"), "utf8"));
  const asker: Asker = { url, liveKey: demo.live_key };
  const answer = await call(asker, "/v1/chat/completions", {
    model: "footnote-extract-1",
    messages: [{ role: "user", content: "What are the signs of a stroke?" }],
    citations: { enabled: true },
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`image: ${seconds} s from nothing to the first cited answer on ${name}`);
  const { content, annotations } = answer.choices[0].message;
  expect(content).toMatch(/sudden loss of balance.*\[\d\]/);
  const { pathname, search } = new URL(annotations[0].url_citation.quote.permalink);
  const quoteImage = `${url}/sources/${path.basename(pathname)}/card.png${search}`;
  return { ...asker, env, quoteImage, run };
}

/** Needs the threads, PDFium, Tesseract and its models. */
async function uploadScan(server: Server): Promise<void> {
  const form = new FormData();
  form.set("scope", "customer_kb");
  const pdf = await scannedPdf([{ lines: [SCANNED] }]);
  form.set("file", new Blob([new Uint8Array(pdf)]), "ward.pdf");
  const { id, job_id } = await call(server, "/v1/kb/documents", form);
  let job: { status: string } = { status: "queued" };
  await until("the job", JOB_MS, async () => {
    job = await call(server, `/v1/kb/jobs/${job_id}`);
    return !["queued", "processing", "running"].includes(job.status);
  });
  const document = await call(server, `/v1/kb/documents/${id}/text`);
  expect(document.text, JSON.stringify(job)).toContain(SCANNED);
  const page = await fetch(`${server.url}/v1/kb/documents/${id}/pages/1.png?width=400`, {
    headers: { authorization: `Bearer ${server.liveKey}` },
  });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "image/png"]);
}

async function runCommands(data: string, env: Record<string, string>): Promise<void> {
  const list = image.run(["kb", "list"], { data, env });
  expect(await list.ended, list.output()).toBe(0);
  expect(list.output()).toMatch(/public_kb +condition +24/);
  const audit = image.run(["billing", "audit", "--json"], { data, env });
  expect(await audit.ended, audit.output()).toBe(0);
  expect(JSON.parse(audit.output())).toMatchObject({ accounts: 1, differences: [] });
  const doctor = image.run(["doctor"], { data, env });
  await doctor.ended;
  expect(doctor.output()).toMatch(/^\d+ unsafe, \d+ to consider\./m);
}

// biome-ignore lint/suspicious/noExplicitAny: each endpoint has its own shape
async function call(server: Asker, target: string, body?: object): Promise<any> {
  const isForm = body instanceof FormData;
  const response = await fetch(server.url + target, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${server.liveKey}`,
      ...(body && !isForm && { "content-type": "application/json" }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = await response.json();
  expect(response.ok, JSON.stringify(answer)).toBe(true);
  return answer;
}

async function until(name: string, limitMs: number, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) {
      throw new Error(`${name} took longer than ${limitMs / 1000} s`);
    }
    await sleep(POLL_MS);
  }
}
