import { closeDatabase, db } from "@/lib/db";
import { makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";

// A process of the gateway bench: `prepare` makes an account with funds and a key, `audit` adds its money up.

const [mode, ...args] = process.argv.slice(2);
const modes: Record<string, () => Promise<object>> = { prepare, audit };
process.stdout.write(JSON.stringify(await modes[mode ?? ""]?.()));
await closeDatabase();

async function prepare(): Promise<object> {
  const [model = ""] = args;
  const { id, key } = await makeKeyedAccount({ models: [model] });
  await setBalance(id, 900_000);
  return { account: id, key };
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
