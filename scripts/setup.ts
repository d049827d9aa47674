import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { hash } from "@node-rs/argon2";
import { newId } from "@/lib/id";
import { microsToUsd } from "@/lib/money/billing/money";
import { getCredits } from "@/lib/money/billing/read/balance";
import { credit } from "@/lib/money/billing/write/credit";
import { createKey } from "@/lib/money/keys/write/keys";
import type { MemberContext } from "@/lib/platform/auth/context";
import { ALL_MODELS, SCOPES } from "@/lib/platform/auth/schema";
import { signUp } from "@/lib/platform/auth/write/sign-up";
import { closeDatabase, db } from "@/lib/platform/db/client";
import { migrate, withMigrationLock } from "@/lib/platform/db/migrate";
import { env } from "@/lib/platform/env";
import { openJobQueue, stopQueue } from "@/lib/platform/queue/vendor";
import { loadPublicSample } from "@/prisma/seed";

// Database setup of `npm start`: migrates, loads the public sample and, with --demo, creates the demo account. Each step is
// idempotent.

const DEMO_EMAIL = "demo@footnote.example";
const DEMO_BALANCE_MICROS = 5_000_000n;

const demoFile = path.resolve(env.DATA_DIR, "demo.json");

function print(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

try {
  await withMigrationLock(setUp);
  await closeDatabase();
} catch (thrown) {
  // A host with several addresses fails with an error for each.
  const [cause] = thrown instanceof AggregateError ? thrown.errors : [thrown];
  process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exit(1);
}

async function setUp(): Promise<void> {
  const applied = await migrate();
  print(
    applied.length > 0 ? `migrations applied: ${applied.length}` : "the database is up to date",
  );
  await openJobQueue();
  const added = await loadPublicSample(() => {});
  print(added > 0 ? `public articles loaded: ${added}` : "the public sample is loaded");
  if (process.argv.includes("--demo")) {
    await createDemoAccount();
  }
  await stopQueue();
}

/** The demo account of a setup that stopped before writing its file, or null. */
async function resetDemoPassword(
  password: string,
): Promise<{ id: string; accountId: string } | null> {
  const member = await db().member.findUnique({
    where: { email: DEMO_EMAIL },
    select: { id: true, accountId: true },
  });
  if (member) {
    const passwordHash = await hash(password);
    await db().member.update({ where: { id: member.id }, data: { passwordHash } });
  }
  return member;
}

/** Writes the secrets to a file that only its owner can read: the database doesn't store them. */
async function createDemoAccount(): Promise<void> {
  if (existsSync(demoFile)) {
    const { email } = JSON.parse(await readFile(demoFile, "utf8"));
    print(`demo account: ${email}`);
    return;
  }
  const password = randomBytes(12).toString("base64url");
  const member =
    (await resetDemoPassword(password)) ??
    (await signUp({ email: DEMO_EMAIL, password, name: "Demo" }));
  const ctx: MemberContext = {
    account: { id: member.accountId },
    actor: { kind: "member", id: member.id, email: DEMO_EMAIL, name: "Demo" },
    requestId: newId("request"),
    signal: new AbortController().signal,
  };
  if ((await getCredits(ctx)).balance_usd === microsToUsd(0n)) {
    await credit(member.accountId, {
      kind: "grant",
      amountMicros: DEMO_BALANCE_MICROS,
      reference: `grant:demo:${member.accountId}`,
      description: "Demo balance",
    });
  }
  const keyFor = async (mode: "live" | "test") =>
    (
      await createKey(ctx, {
        name: `Demo ${mode} key`,
        mode,
        scopes: [...SCOPES],
        knowledge_scopes: ["public_kb", "customer_kb"],
        models: [ALL_MODELS],
      })
    ).secret;
  const demo = {
    email: DEMO_EMAIL,
    password,
    live_key: await keyFor("live"),
    test_key: await keyFor("test"),
  };
  // Renamed only when complete, because later starts trust the file.
  await writeFile(`${demoFile}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(`${demoFile}.new`, demoFile);
  print(`demo account created: ${DEMO_EMAIL}, with one live and one test key`);
}
