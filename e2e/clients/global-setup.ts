import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startFakeUpstream } from "@/lib/testing/fake-upstream";
import { buildIfAbsent, createDatabase, startServer } from "../product";
import { COSTLY_MODEL, SCRIPTED_MODEL } from "./scenario";

declare module "vitest" {
  interface ProvidedContext {
    baseUrl: string;
    apiKey: string;
    /** The folder where table cells are recorded. */
    cellsDir: string;
  }
}

/** Starts the scripted upstream and the built product on loopback for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanUps: (() => Promise<void>)[] = [];
  const cleanUp = async () => {
    for (const undo of cleanUps.toReversed()) {
      await undo();
    }
  };
  try {
    const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-clients-"));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const upstream = await startFakeUpstream();
    cleanUps.push(upstream.close);
    buildIfAbsent();
    const database = await createDatabase();
    cleanUps.push(database.drop);
    const dataDir = path.join(folder, "data");
    const server = await startServer({
      dataDir,
      databaseUrl: database.url,
      models: modelsBehind(upstream.url),
    });
    cleanUps.push(server.stop);
    const demo = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8"));
    project.provide("baseUrl", `${server.url}/v1`);
    project.provide("apiKey", demo.test_key);
    project.provide("cellsDir", path.join(folder, "cells"));
    return cleanUp;
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

function modelsBehind(baseUrl: string): object[] {
  const upstream = { base_url: baseUrl, api_key: "upstream-key" };
  return [
    { id: "footnote-extract-1" },
    // A micro-dollar per generated token and nothing else, so that a charge counts tokens.
    { id: SCRIPTED_MODEL, upstream, retries: 0, rates: ratesOf({ input: 0, output: 1 }) },
    // One answer can cost 10,000 dollars, more than any balance here.
    {
      id: COSTLY_MODEL,
      upstream,
      max_output_tokens: 1_000_000,
      rates: ratesOf({ input: 0, output: 10_000 }),
    },
  ];
}

function ratesOf(perMillion: { input: number; output: number }): object {
  return { core: perMillion, grounded: perMillion };
}
