import pg from "pg";
import type { MemberContext } from "@/lib/auth/context";
import { closeDatabase, db } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { newId } from "@/lib/id";
import { makeKey, setBalance } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { addUsage } from "../pages/usage";
import { Corpus } from "../search/corpus";
import { load } from "../search/load";
import { makeQueries } from "../search/queries";
import type { Caller } from "./ask";

// A process of the row-security bench: fills a fresh database and prints its callers.

const SEED = 20_261_121;
const ASKERS = 8;
const KEYS = 12;
const RECORDS = 2000;
const QUERIES = 300;

const [size = "10000", model = ""] = process.argv.slice(2);
const url = process.env.DATABASE_URL ?? "";
const log = (text: string) => process.stderr.write(`${text}\n`);

await migrate();
const corpus = new Corpus(Number(size), SEED);
await load(url, corpus, log);
const callers: Caller[] = [];
for (const { accountId } of corpus.tenants.slice(1, ASKERS + 1)) {
  callers.push(await makeCaller(accountId));
}
await closeDatabase();
const client = new pg.Client(url);
await client.connect();
await client.query("VACUUM (ANALYZE)");
await client.end();
process.stdout.write(JSON.stringify(callers));

async function makeCaller(accountId: string): Promise<Caller> {
  const id = newId("member");
  const email = `${id}@example.org`;
  await db().member.create({ data: { id, accountId, email, role: "owner" } });
  const ctx: MemberContext = {
    account: { id: accountId },
    actor: { kind: "member", id, email, name: null },
    requestId: newId("request"),
    signal: new AbortController().signal,
  };
  const keys: { id: string; secret: string }[] = [];
  for (let count = 0; count < KEYS; count += 1) {
    keys.push(await makeKey(ctx, { models: [model] }));
  }
  await addUsage({ id: accountId, keyIds: keys.map((key) => key.id) }, RECORDS);
  await setBalance(accountId, 900_000);
  const queries = makeQueries(corpus, QUERIES).map(({ text }) => text);
  return { key: keys[0]?.secret ?? "", browser: await signedIn(id), queries };
}
