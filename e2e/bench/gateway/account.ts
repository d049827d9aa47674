import { newId } from "@/lib/id";
import { closeDatabase, db } from "@/lib/platform/db/client";
import { makeKey, makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";

// A bench process: `prepare` creates an account with funds and a key, `join` creates a key for each of some existing
// accounts, `audit` checks an account's consistency.

const [mode, ...args] = process.argv.slice(2);
const modes: Record<string, () => Promise<object>> = { prepare, join, audit };
process.stdout.write(JSON.stringify(await modes[mode ?? ""]?.()));
await closeDatabase();

async function prepare(): Promise<object> {
  const [model = ""] = args;
  const { id, key } = await makeKeyedAccount({ models: [model] });
  await setBalance(id, 900_000);
  return { account: id, key };
}

async function join(): Promise<object> {
  const [model = "", accounts = ""] = args;
  const keys: Record<string, string> = {};
  for (const id of accounts.split(",")) {
    const member = { id: newId("member"), email: `${id}@example.org`, name: null };
    await db().member.create({ data: { ...member, accountId: id, role: "owner" } });
    const { signal } = new AbortController();
    const actor = { kind: "member" as const, ...member };
    const ctx = { account: { id }, actor, requestId: newId("request"), signal };
    keys[id] = (await makeKey(ctx, { models: [model] })).secret;
    await setBalance(id, 1000);
  }
  return keys;
}

async function audit(): Promise<object> {
  const [account = ""] = args;
  const { balance, ledgerSum, held, openHolds } = await readMoney(account);
  const records = await db().usageRecord.count({ where: { accountId: account, status: 200 } });
  const charged = await db().ledgerEntry.count({ where: { accountId: account, kind: "usage" } });
  return {
    difference: String(balance - ledgerSum),
    held: String(held),
    open_holds: String(openHolds),
    records,
    charged,
  };
}
