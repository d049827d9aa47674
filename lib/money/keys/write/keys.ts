import "server-only";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { listModels } from "@/lib/models/catalogue";
import { recordEvent } from "@/lib/platform/audit/write";
import type { MemberContext } from "@/lib/platform/auth/context";
import { needsConfirmation } from "@/lib/platform/auth/read";
import { ALL_MODELS } from "@/lib/platform/auth/schema";
import { generateApiKey, hashSecret, maskKey } from "@/lib/platform/auth/secret";
import { type Session, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { getKey } from "../read";
import type {
  CreatedKey,
  CreateKey,
  FirstKey,
  Key,
  Permission,
  RotateKey,
  UpdateKey,
} from "../schema";
import { ensurePerson } from "./person";
import { changeable, changeKey } from "./settings";

/**
 * Returns the secret, which is stored only as a hash and never shown again. Throws invalid_request, insufficient_scope
 * until the member has confirmed their email, or conflict when the account has as many active keys as it may.
 */
export function createKey(ctx: MemberContext, input: CreateKey): Promise<CreatedKey> {
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
  ctx: MemberContext,
  input: CreateKey,
  check: (tx: Session, accountId: string) => Promise<void>,
): Promise<CreatedKey> {
  if (await needsConfirmation(ctx)) {
    throw new AppError(
      "insufficient_scope",
      `Confirm your email first: open the link we sent to ${ctx.actor.email}, or send a new one from the console.`,
    );
  }
  rejectUnknownModels(input);
  rejectHighLimits(input);
  const { account, actor } = ctx;
  const { mode, scopes, knowledge_scopes = [], stores = null } = input;
  const secret = generateApiKey(mode);
  const { prefix, lastFour } = maskKey(secret);
  const id = newId("key");
  const personId = await personFor(ctx, input);
  const expiresAt = input.expires_at ? new Date(input.expires_at) : null;
  const fixed = [personId, mode, prefix, lastFour, scopes, knowledge_scopes, stores, expiresAt];
  await transaction(async (tx) => {
    await lockKeys(tx, account.id);
    await check(tx, account.id);
    await tx.query(
      "keys_create",
      `INSERT INTO api_key (id, account_id, created_by_id, person_id, mode, prefix, last_four, scopes,
                            knowledge_scopes, stores, expires_at, name, models, query_mode, monthly_budget_micros,
                            requests_per_minute, tokens_per_minute)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
      [id, account.id, actor.id, ...fixed, ...Object.values(changeable(input))],
    );
    await addSecret(tx, ctx, { id, secret });
    const event = { target: { id, name: input.name }, details: stores ? { stores } : {} };
    await recordEvent(tx, ctx, { action: "key.created", ...event });
  });
  return { key: await getKey(ctx, id), secret };
}

/** Locks the account's list of keys until the transaction ends, so that concurrent requests can't exceed the limit. */
async function lockKeys(tx: Session, accountId: string): Promise<void> {
  await tx.query(
    "keys_lock_list",
    "SELECT pg_advisory_xact_lock(hashtextextended('keys of ' || $1, 0))",
    [accountId],
  );
}

async function rejectSecondKey(tx: Session, accountId: string): Promise<void> {
  const [known] = await tx.query(
    "keys_find_any",
    "SELECT id FROM api_key WHERE account_id = $1 AND purpose = 'api' LIMIT 1",
    [accountId],
  );
  if (known) {
    throw new AppError("conflict", "This account already has a key. Use that one.");
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
    throw new AppError(
      "conflict",
      `The account has ${active} active keys, the most allowed. Revoke one that you no longer use, then create the new one.`,
    );
  }
}

/**
 * Changes the given settings. Throws not_found, insufficient_scope, invalid_request, or conflict for a revoked or expired
 * key.
 */
export async function updateKey(ctx: MemberContext, id: string, input: UpdateKey): Promise<Key> {
  rejectEnded(await getPermittedKey(ctx, id, "change"));
  rejectUnknownModels(input);
  rejectHighLimits(input);
  const isDone = await transaction((tx) => changeKey(tx, ctx, { id, input }));
  return getChangedKey(ctx, id, isDone);
}

/**
 * Adds a secret; earlier ones expire after the overlap, or sooner if an earlier rotation said so. Throws not_found,
 * insufficient_scope, or conflict for a revoked or expired key.
 */
export async function rotateKey(
  ctx: MemberContext,
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
 * Permanently invalidates the key and its secrets; repeating it has no effect. Throws not_found or insufficient_scope.
 */
export async function revokeKey(ctx: MemberContext, id: string): Promise<Key> {
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
    }
  });
  return getKey(ctx, id);
}

/** Checked before the transaction that changes the key: its person and creator stay what they are. */
async function getPermittedKey(
  ctx: MemberContext,
  id: string,
  permission: Permission,
): Promise<Key> {
  const key = await getKey(ctx, id);
  if (!key.permissions.includes(permission)) {
    throw new AppError(
      "insufficient_scope",
      key.person?.kind === "member"
        ? "This key reads another member's documents, so only that member can change it. You can revoke it."
        : "Only the member who created this key or an owner can do this. Ask one of them.",
    );
  }
  return key;
}

/** Throws conflict when the key ended before it could be changed. */
async function getChangedKey(ctx: MemberContext, id: string, isDone: boolean): Promise<Key> {
  const key = await getKey(ctx, id);
  if (!isDone) {
    rejectEnded(key);
  }
  return key;
}

function rejectEnded({ status }: Key): void {
  if (status !== "usable") {
    throw new AppError(
      "conflict",
      `This key ${status === "revoked" ? "is revoked" : "has expired"}, so it can't be changed. Create a new one.`,
    );
  }
}

function rejectUnknownModels({ models }: UpdateKey): void {
  const known = [ALL_MODELS, ...listModels().map((model) => model.id)];
  const unknown = (models ?? []).findIndex((model) => !known.includes(model));
  if (unknown >= 0) {
    throw new AppError("invalid_request", "There is no such model. Choose models from the list.", {
      param: `models.${unknown}`,
    });
  }
}

/** A key's limits may be lower than the server's, never higher. */
function rejectHighLimits(input: UpdateKey): void {
  const limits = [
    ["requests_per_minute", env.REQUESTS_PER_MINUTE],
    ["tokens_per_minute", env.TOKENS_PER_MINUTE],
  ] as const;
  for (const [name, limit] of limits) {
    if ((input[name] ?? 0) > limit) {
      throw new AppError(
        "invalid_request",
        `Choose at most ${limit.toLocaleString("en-US")} per minute, or leave it empty.`,
        { param: name },
      );
    }
  }
}

/** Whose documents personal_kb holds: the given reference, or the member. */
async function personFor(ctx: MemberContext, input: CreateKey): Promise<string | null> {
  if (!input.knowledge_scopes?.includes("personal_kb")) {
    return null;
  }
  return input.person
    ? ensurePerson(ctx, "external", input.person)
    : ensurePerson(ctx, "member", ctx.actor.id);
}

async function addSecret(
  tx: Session,
  { account }: MemberContext,
  { id, secret }: { id: string; secret: string },
): Promise<void> {
  await tx.query(
    "keys_add_secret",
    "INSERT INTO key_secret (hash, key_id, account_id, last_four) VALUES ($1, $2, $3, $4)",
    [hashSecret(secret), id, account.id, maskKey(secret).lastFour],
  );
}

/** Persons go last, because keys reference them. */
const PURGE_STATEMENTS = {
  keys_purge_secrets:
    "DELETE FROM key_secret WHERE key_id IN (SELECT k.id FROM api_key k WHERE k.account_id = $1)",
  keys_purge_keys: "DELETE FROM api_key WHERE account_id = $1",
  keys_purge_persons: "DELETE FROM person WHERE account_id = $1",
};

export async function purgeAccountKeys(tx: Session, accountId: string): Promise<void> {
  for (const [name, statement] of Object.entries(PURGE_STATEMENTS)) {
    await tx.query(name, statement, [accountId]);
  }
}
