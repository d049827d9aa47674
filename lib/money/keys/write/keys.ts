import "server-only";
import { AppError, conflict, insufficientScope } from "@/lib/errors";
import { newId } from "@/lib/id";
import { recordEvent } from "@/lib/platform/audit/write";
import type { KeyManager, MemberContext } from "@/lib/platform/auth/context";
import { needsConfirmation } from "@/lib/platform/auth/read";
import { ALL_MODELS } from "@/lib/platform/auth/schema";
import { generateApiKey, hashSecret, maskKey } from "@/lib/platform/auth/secret";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { lockList } from "@/lib/platform/db/advisory-lock";
import { type Session, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { getKey, issuedPersonPrefix } from "../read";
import type {
  CreatedKey,
  CreateKey,
  FirstKey,
  Key,
  Permission,
  RotateKey,
  UpdateKey,
} from "../schema";
import { revokeIssuedKeys } from "./member-keys";
import { narrow, narrowNew, requireRemaining } from "./narrow";
import { ensurePerson } from "./person";
import { changeable, changeKey, rejectHighLimits, rejectUnknownModels } from "./settings";

/**
 * Returns the secret, which is stored only as a hash and never shown again. Throws invalid_request, insufficient_scope
 * until the member has confirmed their email or for a key that would be wider than the one that creates it, or conflict
 * when the account has as many active keys as it may.
 */
export function createKey(ctx: KeyManager, input: CreateKey): Promise<CreatedKey> {
  return insertKey(ctx, input, rejectTooManyKeys);
}

/** The key that a new account starts with. It can do everything in the first steps, with public knowledge and the account's documents. */
const FIRST_KEY: CreateKey = {
  name: "First test key",
  mode: "test",
  scopes: ["chat:completions", "kb:search", "kb:documents:read", "kb:documents:write"],
  knowledge_scopes: ["public_kb", "customer_kb"],
  models: [ALL_MODELS],
};

/** Creates nothing if the account ever had a key. Throws insufficient_scope as `createKey` does. */
export async function createFirstKey(ctx: MemberContext): Promise<FirstKey> {
  try {
    const created = await insertKey(ctx, FIRST_KEY, rejectSecondKey);
    return { object: "first_key", created };
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") {
      return { object: "first_key", created: null };
    }
    throw error;
  }
}

/** `check` runs while the account's list of keys is locked. */
async function insertKey(
  ctx: KeyManager,
  wanted: CreateKey,
  check: (tx: Session, accountId: string) => Promise<void>,
): Promise<CreatedKey> {
  const { account, actor } = ctx;
  if (actor.kind === "member") {
    await requireConfirmation({ ...ctx, actor });
  }
  rejectUnknownModels(wanted);
  rejectHighLimits(wanted);
  const input = actor.kind === "key" ? narrowNew(actor, wanted) : wanted;
  const { mode, scopes, knowledge_scopes = [], stores = null } = input;
  const secret = generateApiKey(mode);
  const { prefix, lastFour } = maskKey(secret);
  const id = newId("key");
  const creator = actor.kind === "member" ? [actor.id, null] : [null, actor.id];
  const fixed = [mode, prefix, lastFour, scopes, knowledge_scopes, stores];
  await transaction(async (tx) => {
    await lockList(tx, "keys", account.id);
    await check(tx, account.id);
    const latest =
      actor.kind === "key" ? await requireRemaining(tx, { ...ctx, actor }, input) : null;
    const expiresAt = input.expires_at ? new Date(input.expires_at) : latest;
    const personId = await personFor(tx, ctx, input);
    await tx.query(
      "keys_create",
      `INSERT INTO api_key (id, account_id, created_by_id, created_by_key_id, person_id, mode, prefix, last_four, scopes,
                            knowledge_scopes, stores, expires_at, name, models, query_mode, monthly_budget_micros,
                            requests_per_minute, tokens_per_minute)
       VALUES ($1, $2, coalesce($3, (SELECT k.created_by_id FROM api_key k WHERE k.id = $4 AND k.account_id = $2)),
               $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
      [
        id,
        account.id,
        ...creator,
        personId,
        ...fixed,
        expiresAt,
        ...Object.values(changeable(input)),
      ],
    );
    await addSecret(tx, ctx, { id, secret });
    const event = { target: { id, name: input.name }, details: stores ? { stores } : {} };
    await recordEvent(tx, ctx, { action: "key.created", ...event });
  });
  return { key: await getKey(ctx, id), secret };
}

async function requireConfirmation(ctx: MemberContext): Promise<void> {
  if (await needsConfirmation(ctx)) {
    throw insufficientScope(
      `Confirm your email first: open the link we sent to ${ctx.actor.email}, or send a new one from the console.`,
    );
  }
}

async function rejectSecondKey(tx: Session, accountId: string): Promise<void> {
  const [known] = await tx.query(
    "keys_find_any",
    "SELECT id FROM api_key WHERE account_id = $1 AND purpose = 'api' LIMIT 1",
    [accountId],
  );
  if (known) {
    throw conflict("This account already has a key. Use that one.");
  }
}

async function rejectTooManyKeys(tx: Session, accountId: string): Promise<void> {
  const [row] = await tx.query<{ active: number }>(
    "keys_count_active",
    `SELECT count(*)::int AS active FROM api_key
      WHERE account_id = $1 AND purpose = 'api' AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())`,
    [accountId],
  );
  const active = row?.active ?? 0;
  if (active >= env.MAX_KEYS_PER_ACCOUNT) {
    throw conflict(
      `The account has ${active} active keys, the most allowed. Revoke one that you no longer use, then create the new one.`,
    );
  }
}

/**
 * Changes the given settings. Throws not_found, insufficient_scope, invalid_request, or conflict for a revoked or expired
 * key.
 */
export async function updateKey(ctx: KeyManager, id: string, wanted: UpdateKey): Promise<Key> {
  rejectEnded(await getPermittedKey(ctx, id, "change"));
  rejectUnknownModels(wanted);
  rejectHighLimits(wanted);
  const { actor } = ctx;
  const input = actor.kind === "key" ? narrow(actor, wanted) : wanted;
  const isDone = await transaction(async (tx) => {
    if (actor.kind === "key") {
      const { monthly_budget_usd } = input;
      await requireRemaining(tx, { ...ctx, actor }, { id, monthly_budget_usd });
    }
    return changeKey(tx, ctx, { id, input });
  });
  return getChangedKey(ctx, id, isDone);
}

/**
 * Adds a secret; earlier ones expire after the overlap, or sooner if an earlier rotation said so. Throws not_found,
 * insufficient_scope, or conflict for a revoked or expired key.
 */
export async function rotateKey(
  ctx: KeyManager,
  id: string,
  { overlap_seconds }: RotateKey,
): Promise<CreatedKey> {
  const { mode } = await getPermittedKey(ctx, id, "change");
  const secret = generateApiKey(mode);
  const isDone = await transaction(async (tx) => {
    // Locking the key's row serializes rotations and revocations.
    const [key] = await tx.query(
      "keys_rotate",
      `UPDATE api_key SET last_four = $3
        WHERE id = $1 AND account_id = $2 AND purpose = 'api' AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > now()) RETURNING id`,
      [id, ctx.account.id, maskKey(secret).lastFour],
    );
    if (!key) {
      return false;
    }
    await tx.query(
      "keys_end_secrets",
      `UPDATE key_secret
          SET expires_at = least(expires_at, clock_timestamp() + make_interval(secs => $2))
        WHERE key_id = $1`,
      [id, overlap_seconds],
    );
    await tx.query(
      "keys_sweep_secrets",
      "DELETE FROM key_secret WHERE key_id = $1 AND expires_at <= clock_timestamp()",
      [id],
    );
    await addSecret(tx, ctx, { id, secret });
    const event = { target: { id }, details: { overlap_seconds } };
    await recordEvent(tx, ctx, { action: "key.rotated", ...event });
    return true;
  });
  return { key: await getChangedKey(ctx, id, isDone), secret };
}

/**
 * Permanently invalidates the key, its secrets and the keys that it created; repeating it has no effect. Throws not_found
 * or insufficient_scope.
 */
export async function revokeKey(ctx: KeyManager, id: string): Promise<Key> {
  await getPermittedKey(ctx, id, "revoke");
  await transaction(async (tx) => {
    const [revoked] = await tx.query(
      "keys_revoke",
      `UPDATE api_key SET revoked_at = now()
        WHERE id = $1 AND account_id = $2 AND purpose = 'api' AND revoked_at IS NULL RETURNING id`,
      [id, ctx.account.id],
    );
    if (revoked) {
      await recordEvent(tx, ctx, { action: "key.revoked", target: { id } });
      await revokeIssuedKeys(tx, ctx, [id]);
    }
  });
  return getKey(ctx, id);
}

/** Checked before the transaction that changes the key: its person and creator stay what they are. */
async function getPermittedKey(ctx: KeyManager, id: string, permission: Permission): Promise<Key> {
  const key = await getKey(ctx, id);
  if (!key.permissions.includes(permission)) {
    throw insufficientScope(
      key.person?.kind === "member"
        ? "This key reads another member's documents, so only that member can change it. You can revoke it."
        : "Only the member who created this key or an owner can do this. Ask one of them.",
    );
  }
  return key;
}

/** Throws conflict when the key ended before it could be changed. */
async function getChangedKey(ctx: KeyManager, id: string, isDone: boolean): Promise<Key> {
  const key = await getKey(ctx, id);
  if (!isDone) {
    rejectEnded(key);
  }
  return key;
}

function rejectEnded({ status }: Key): void {
  if (status !== "usable") {
    throw conflict(
      `This key ${status === "revoked" ? "is revoked" : "has expired"}, so it can't be changed. Create a new one.`,
    );
  }
}

/** Whose documents personal_kb holds: the given reference, or the creator's own person. */
async function personFor(
  tx: Session,
  ctx: KeyManager,
  { knowledge_scopes, person }: CreateKey,
): Promise<string | null> {
  const { actor } = ctx;
  if (!knowledge_scopes?.includes("personal_kb")) {
    return null;
  }
  if (person) {
    const reference = actor.kind === "key" ? issuedPersonPrefix(actor.id) + person : person;
    return ensurePerson(ctx, { kind: "external", reference }, tx.query);
  }
  return actor.kind === "key"
    ? actor.personId
    : ensurePerson(ctx, { kind: "member", reference: actor.id }, tx.query);
}

async function addSecret(
  tx: Session,
  { account }: KeyManager,
  { id, secret }: { id: string; secret: string },
): Promise<void> {
  await tx.query(
    "keys_add_secret",
    "INSERT INTO key_secret (hash, key_id, account_id, last_four) VALUES ($1, $2, $3, $4)",
    [hashSecret(secret), id, account.id, maskKey(secret).lastFour],
  );
}

/** Persons go last, because keys reference them. */
export const purgeAccountKeys = accountPurge({
  keys_purge_secrets:
    "DELETE FROM key_secret WHERE key_id IN (SELECT k.id FROM api_key k WHERE k.account_id = $1)",
  keys_purge_keys: "DELETE FROM api_key WHERE account_id = $1",
  keys_purge_persons: "DELETE FROM person WHERE account_id = $1",
});
