import { newId } from "@/lib/id";
import { createKey } from "@/lib/money/keys/write/keys";
import type { MemberContext } from "@/lib/platform/auth/context";
import { SCOPES } from "@/lib/platform/auth/schema";
import { signUp } from "@/lib/platform/auth/write/sign-up";
import { closeDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { loadPublicSample } from "@/prisma/seed";
import { addDocuments } from "./documents";
import { addUsage } from "./usage";

// A process of the pages bench: fills the embedded database in DATA_DIR with the public sample and one active
// account, and prints its credentials.

const EMAIL = "ada@clinic.example";
const PASSWORD = "correct horse battery staple";
const KEY_NAMES = ["Intake assistant", "Ward handbook search", "Nightly reports"];

const [documents = "0", records = "0"] = process.argv.slice(2);

await migrate();
await loadPublicSample(() => {});
const member = await signUp({ email: EMAIL, password: PASSWORD, name: "Ada" });
const ctx: MemberContext = {
  account: { id: member.accountId },
  actor: { kind: "member", id: member.id, email: EMAIL, name: "Ada" },
  requestId: newId("request"),
  signal: new AbortController().signal,
};
const keyIds: string[] = [];
for (const name of KEY_NAMES) {
  const { key } = await createKey(ctx, {
    name,
    mode: "live",
    scopes: [...SCOPES],
    knowledge_scopes: ["public_kb", "customer_kb"],
    monthly_budget_usd: "200",
  });
  keyIds.push(key.id);
}
await addDocuments(member.accountId, Number(documents));
await addUsage({ id: member.accountId, keyIds }, Number(records));
await closeDatabase();
process.stdout.write(
  JSON.stringify({ account: member.accountId, email: EMAIL, password: PASSWORD }),
);
