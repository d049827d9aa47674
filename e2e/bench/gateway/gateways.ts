import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort, isHealthy, startServer, stopProcess, waitUntil } from "../../product";
import { cpuTimesOf, processesBelow } from "../shared/cpu";
import { forkOwn, type Gateway, runOwn } from "./processes";

/** The request sent to both gateways. */
export const MODEL = "bench";

interface Surroundings {
  databaseUrl: string;
  dataDir: string;
  upstream: string;
  env?: Record<string, string>;
  /** Another one than this, whose build to start. */
  checkout?: string | undefined;
}

/** The product without limits in front of an upstream. `env` lets its scripts use the same database. */
export async function startFootnote({
  databaseUrl,
  dataDir,
  upstream,
  env: more,
  checkout,
}: Surroundings): Promise<{ gateway: Gateway; env: Record<string, string> }> {
  const models = [{ id: MODEL, upstream: { base_url: upstream } }];
  const server = await startServer({
    dataDir,
    databaseUrl,
    models,
    checkout,
    isDemo: false,
    isPlain: process.env.FOOTNOTE_BENCH_HOST === "next",
    env: { REQUESTS_PER_MINUTE: "1000000000", TOKENS_PER_MINUTE: "1000000000000", ...more },
  });
  return {
    gateway: {
      name: "footnote",
      url: `${server.url}/v1/chat/completions`,
      headers: { "content-type": "application/json" },
      cpu: () => cpuTimesOf(processesBelow(server.pid)),
      pids: () => processesBelow(server.pid),
      stop: server.stop,
    },
    env: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      MODELS: JSON.stringify(models),
      APP_URL: server.url,
      NEXTAUTH_SECRET: "a-secret-for-the-bench-alone-0123456789",
      ...more,
    },
  };
}

/** The product, with a funded account and a key without limits. */
export async function startProduct(
  surroundings: Surroundings,
): Promise<{ gateway: Gateway; account: string }> {
  const { gateway, env } = await startFootnote(surroundings);
  try {
    const made = JSON.parse(await runOwn("account.ts", ["prepare", MODEL], env));
    const headers = { ...gateway.headers, authorization: `Bearer ${made.key}` };
    return { gateway: { ...gateway, headers }, account: made.account };
  } catch (thrown) {
    await gateway.stop();
    throw thrown;
  }
}

/** `@portkey-ai/gateway`, which has no keys, limits or billing. */
export async function startPortkey(upstream: string): Promise<Gateway> {
  const port = await freePort();
  const script = "e2e/clients/node_modules/@portkey-ai/gateway/build/start-server.js";
  const child = spawn(process.execPath, [script, `--port=${port}`, "--headless"], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitUntil(() => isHealthy(origin, "/"), child);
  return {
    name: "portkey",
    url: `${origin}/v1/chat/completions`,
    headers: {
      "content-type": "application/json",
      authorization: "Bearer none",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": upstream,
    },
    cpu: () => cpuTimesOf(processesBelow(child.pid ?? 0)),
    pids: () => processesBelow(child.pid ?? 0),
    stop: () => stopProcess(child),
  };
}

/** A gateway that only passes requests on: the most that one process of Node can do here. */
export async function startBare(upstream: string): Promise<Gateway> {
  const child = forkOwn("bare.ts", [upstream]);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    name: "bare",
    url: `${url}/v1/chat/completions`,
    headers: { "content-type": "application/json" },
    cpu: () => cpuTimesOf(processesBelow(child.pid ?? 0)),
    pids: () => processesBelow(child.pid ?? 0),
    stop: () => stopProcess(child),
  };
}

/** Throws unless an account's balance, ledger, holds and usage records agree. */
export async function auditMoney(
  databaseUrl: string,
  account: string,
): Promise<Record<string, unknown>> {
  const audit = JSON.parse(
    await runOwn("account.ts", ["audit", account], { DATABASE_URL: databaseUrl }),
  );
  const { difference, held, open_holds, records, charged } = audit;
  if (difference !== "0" || held !== "0" || open_holds !== "0" || records !== charged) {
    throw new Error(`inconsistent account: ${JSON.stringify(audit)}`);
  }
  return audit;
}
