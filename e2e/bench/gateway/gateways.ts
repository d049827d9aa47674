import { freePort } from "../../free-port";
import { type Gateway, runOwn, startGateway } from "./processes";

/** What both gateways are asked for. */
export const MODEL = "bench";
const START = ["scripts/start.mjs", "--no-install", "--no-build", "--no-demo"];
if (process.env.FOOTNOTE_BENCH_HOST === "next") {
  START.push("--plain");
}

type Environment = Record<string, string>;

interface Surroundings {
  databaseUrl: string;
  dataDir: string;
  upstream: string;
  env?: Environment;
}

/** The product as `npm start` runs it. */
export async function startServer({
  databaseUrl,
  dataDir,
  upstream,
  env: more,
}: Surroundings): Promise<{ gateway: Gateway; env: Environment }> {
  const port = await freePort();
  const env = {
    DATABASE_URL: databaseUrl,
    MODELS: JSON.stringify([{ id: MODEL, upstream: { base_url: upstream } }]),
    REQUESTS_PER_MINUTE: "1000000000",
    TOKENS_PER_MINUTE: "1000000000000",
    NEXTAUTH_SECRET: "a-secret-for-the-bench-alone",
    APP_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
    ...more,
  };
  // Blank, not absent: an absent one would be read from .env.
  const blank = { REDIS_URL: "", EMBEDDING_MODEL: "", VERIFY_MODEL: "", RATES_FILE: "" };
  const gateway = await startGateway({
    name: "footnote",
    port,
    args: [...START, "--port", String(port)],
    env: { ...blank, ...env },
    headers: { "content-type": "application/json" },
    health: "/api/health",
  });
  return { gateway, env };
}

/** The product, with an account that has funds and a key without limits. */
export async function startProduct(
  surroundings: Surroundings,
): Promise<{ gateway: Gateway; account: string }> {
  const { gateway, env } = await startServer(surroundings);
  try {
    const made = JSON.parse(await runOwn("account.ts", ["prepare", MODEL], env));
    const headers = { ...gateway.headers, authorization: `Bearer ${made.key}` };
    return { gateway: { ...gateway, headers }, account: made.account };
  } catch (thrown) {
    await gateway.stop();
    throw thrown;
  }
}

/** `@portkey-ai/gateway`, which knows no keys, limits or money. */
export async function startPortkey(upstream: string): Promise<Gateway> {
  const port = await freePort();
  const script = "node_modules/@portkey-ai/gateway/build/start-server.js";
  return startGateway({
    name: "portkey",
    port,
    args: [script, `--port=${port}`, "--headless"],
    env: { NODE_ENV: "production" },
    headers: {
      "content-type": "application/json",
      authorization: "Bearer none",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": upstream,
    },
    health: "/",
  });
}

/** Fails when an account's balance, ledger, holds and usage records do not agree. */
export async function auditMoney(
  databaseUrl: string,
  account: string,
): Promise<Record<string, unknown>> {
  const audit = JSON.parse(
    await runOwn("account.ts", ["audit", account], { DATABASE_URL: databaseUrl }),
  );
  const { difference, held, open_holds, records, charged } = audit;
  if (difference !== "0" || held !== "0" || open_holds !== "0" || records !== charged) {
    throw new Error(`the account's money does not add up: ${JSON.stringify(audit)}`);
  }
  return audit;
}
