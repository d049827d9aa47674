import { closeDatabase } from "@/lib/db/client";
import { makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";

// A process of the processes and abuse benches: `prepare COUNT MODEL…` creates funded accounts with a key each, `audit ID…`
// checks their consistency.

const [mode, ...args] = process.argv.slice(2);
const modes: Record<string, () => Promise<object>> = { prepare, audit };
process.stdout.write(JSON.stringify(await modes[mode ?? ""]?.()));
await closeDatabase();

async function prepare(): Promise<object> {
  const [count, ...models] = args;
  const made: { account: string; key: string }[] = [];
  for (let index = 0; index < Number(count); index += 1) {
    const { id, key } = await makeKeyedAccount({ models });
    await setBalance(id, 900_000);
    made.push({ account: id, key });
  }
  return made;
}

async function audit(): Promise<object> {
  const wrong: object[] = [];
  for (const account of args) {
    const { balance, ledgerSum, held, openHolds } = await readMoney(account);
    if (balance !== ledgerSum || held !== 0n || Number(openHolds) !== 0) {
      wrong.push({ account, difference: String(balance - ledgerSum), held: String(held) });
    }
  }
  return wrong;
}
