import { closeDatabase } from "@/lib/platform/db/client";
import { makeKeyedAccount, setBalance } from "@/lib/testing/factories";

// A process of the abuse bench: creates funded accounts with a key each, for COUNT MODEL….

const [count, ...models] = process.argv.slice(2);
const made: { key: string }[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const { id, key } = await makeKeyedAccount({ models });
  await setBalance(id, 900_000);
  made.push({ key });
}
process.stdout.write(JSON.stringify(made));
await closeDatabase();
