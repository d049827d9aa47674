import "server-only";
import { hash } from "@node-rs/argon2";
import { db, type Session, transaction } from "@/lib/db/client";
import { embeddedDataDir, env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import type { SignUp } from "../schema";
import { requireStrongPassword } from "./password";

const MICROS_PER_USD = 1_000_000;
/** Enough to try out a fresh clone. */
const DEFAULT_GRANT_USD = embeddedDataDir ? 5 : 0;

/** Creates an account and its owner. Throws conflict when the email is taken, invalid_request for a weak password. */
export async function signUp(
  input: SignUp,
): Promise<{ id: string; accountId: string; email: string }> {
  await requireStrongPassword(input.password, [input.email, input.name]);
  const passwordHash = await hash(input.password);
  return transaction(async (tx) => {
    const member = await createOwner(tx, { ...input, passwordHash });
    if (!member) {
      const message = "An account with this email already exists. Sign in instead.";
      throw new AppError("conflict", message, { param: "email" });
    }
    return { ...member, email: input.email };
  });
}

/**
 * Creates an account for a new identity. `email_taken`: another member has the email; claiming it at a provider must not
 * take over their account.
 */
export async function findOrCreateMember(
  identity: Record<"provider" | "subject" | "email", string> & { name: string | null },
): Promise<{ id: string } | "email_taken"> {
  const { provider, subject } = identity;
  const known = await db().memberIdentity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { memberId: true },
  });
  if (known) {
    return { id: known.memberId };
  }
  return transaction(async (tx) => {
    const email = identity.email.trim().toLowerCase();
    const member = await createOwner(tx, { email, name: identity.name, passwordHash: null });
    if (!member) {
      return "email_taken";
    }
    await tx.query(
      "auth_insert_identity",
      "INSERT INTO member_identity (provider, subject, member_id) VALUES ($1, $2, $3)",
      [provider, subject, member.id],
    );
    return { id: member.id };
  });
}

/** Null when the email is taken. The starting grant is part of the same transaction. */
async function createOwner(
  tx: Session,
  owner: { email: string; name?: string | null | undefined; passwordHash: string | null },
): Promise<{ id: string; accountId: string } | null> {
  const accountId = newId("account");
  const name = owner.name || owner.email.split("@")[0] || "Account";
  await tx.query("auth_insert_account", "INSERT INTO account (id, name) VALUES ($1, $2)", [
    accountId,
    name,
  ]);
  const [member] = await tx.query<{ id: string }>(
    "auth_insert_owner",
    `INSERT INTO member (id, account_id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, 'owner', $5)
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [newId("member"), accountId, owner.email, owner.name ?? null, owner.passwordHash],
  );
  if (!member) {
    await tx.query("auth_delete_account", "DELETE FROM account WHERE id = $1", [accountId]);
    return null;
  }
  const grantMicros = Math.round((env.SIGNUP_GRANT_USD ?? DEFAULT_GRANT_USD) * MICROS_PER_USD);
  if (grantMicros > 0) {
    await tx.query("auth_grant", "SELECT credit_account($1, $2, 'grant', $3, $4, $5)", [
      newId("ledgerEntry"),
      accountId,
      grantMicros,
      `grant:sign-up:${accountId}`,
      "Starting balance",
    ]);
  }
  return { id: member.id, accountId };
}
