import { once } from "node:events";
import { newId } from "@/lib/id";
import { placeHold } from "@/lib/money/billing/write/hold";
import { settle, type Usage } from "@/lib/money/billing/write/settle";
import type { KeyContext } from "@/lib/platform/auth/context";
import { closeDatabase, db, query } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { keyContext, makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";

// The money bench's worker process: `prepare` creates the account, `measure` holds and settles, `audit` checks it.

const WARM_UP = 200;
const HOLD_MICROS = 1000n;
const COST_MICROS = 7n;
const USAGE: Usage = {
  endpoint: "/v1/chat/completions",
  model: "footnote-extract-1",
  kind: "grounded",
  promptTokens: 1200,
  completionTokens: 90,
  passages: 5,
  rate: { input: 0.05, output: 0.2 },
  status: 200,
  warningCodes: [],
  latencyMs: 12,
  firstTokenMs: 8,
};

const [mode, ...args] = process.argv.slice(2);
const modes: Record<string, () => Promise<object>> = { prepare, measure, audit };
process.stdout.write(JSON.stringify(await modes[mode ?? ""]?.()));
await closeDatabase();

async function prepare(): Promise<object> {
  await migrate();
  const { id, keyId } = await makeKeyedAccount({ models: ["footnote-extract-1"] });
  await setBalance(id, 900_000);
  return { account: id, key: keyId };
}

async function measure(): Promise<object> {
  const [variant = "", account = "", key = "", clients, pairs] = args;
  const pair = variant === "batched" ? batched : separate;
  const context = () =>
    keyContext({ account: { id: account } } as Parameters<typeof keyContext>[0], { id: key });
  await runClients(Number(clients), WARM_UP, () => pair(context()));
  process.stdout.write("ready\n");
  await once(process.stdin, "data");
  const ms: number[] = [];
  const since = performance.now();
  await runClients(Number(clients), Number(pairs), async () => {
    const begun = performance.now();
    await pair(context());
    ms.push(performance.now() - begun);
  });
  return { seconds: (performance.now() - since) / 1000, ms };
}

async function runClients(
  clients: number,
  total: number,
  work: () => Promise<void>,
): Promise<void> {
  let left = total;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left > 0) {
        left -= 1;
        await work();
      }
    }),
  );
}

async function batched(ctx: KeyContext): Promise<void> {
  const hold = await placeHold(ctx, HOLD_MICROS);
  await settle({ ...hold, costMicros: COST_MICROS }, USAGE);
}

/** The same statements, separately for each request. */
async function separate({ requestId, account, actor }: KeyContext): Promise<void> {
  await query("bench_admit", "SELECT outcome FROM place_holds($1, $2, $3, $4, $5)", [
    account.id,
    [requestId],
    [actor.id],
    [HOLD_MICROS],
    [900],
  ]);
  const item = {
    hold: requestId,
    cost: String(COST_MICROS),
    entry: newId("ledgerEntry"),
    usage: USAGE,
  };
  await query("bench_settle", "SELECT charged FROM settle_holds($1, $2) AS charged", [
    account.id,
    JSON.stringify([item]),
  ]);
}

async function audit(): Promise<object> {
  const [account = ""] = args;
  const { balance, ledgerSum, held } = await readMoney(account);
  const records = await db().usageRecord.count({ where: { accountId: account } });
  return { difference: String(balance - ledgerSum), held: String(held), records };
}
