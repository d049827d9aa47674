import "server-only";
import { hash } from "@node-rs/argon2";
import { type AppError, conflict, insufficientScope } from "@/lib/errors";
import { newId } from "@/lib/id";
import { db, type Session, transaction } from "@/lib/platform/db/client";
import { costsOperator, embeddedDataDir, env } from "@/lib/platform/env";
import type { SignUp } from "../schema";
import { claimSignUpMail, sendSignUpMail } from "./confirmation";
import { requireStrongPassword } from "./password";

const MICROS_PER_USD = 1_000_000;
/** Enough to try out a fresh clone. */
const DEFAULT_GRANT_USD = embeddedDataDir ? 5 : 0;

/**
 * Creates an account for someone who signs up. Nothing in the response tells whether the email was taken: its owner learns
 * it by mail. Throws insufficient_scope when sign-up isn't open, invalid_request for a weak password.
 */
export async function requestSignUp(input: SignUp): Promise<void> {
  if (env.SIGN_UP !== "open") {
    throw closedSignUp();
  }
  await requireStrongPassword(input.password, [input.email, input.name]);
  const passwordHash = await hash(input.password);
  const recipient = await transaction(async (tx) => {
    await createOwner(tx, { ...input, passwordHash, isConfirmed: false });
    return claimSignUpMail(tx, input.email);
  });
  if (recipient) {
    sendSignUpMail(recipient);
  }
}

export function closedSignUp(): AppError {
  return insufficientScope(
    env.SIGN_UP === "invite"
      ? "This server is invitation-only. Ask an owner of your team's account to invite you."
      : "This server takes no new members. Ask its operator.",
  );
}

/**
 * Creates an account and its owner for the operator's own scripts. Throws conflict when the email is taken,
 * invalid_request for a weak password.
 */
export async function signUp(
  input: SignUp,
): Promise<{ id: string; accountId: string; email: string }> {
  await requireStrongPassword(input.password, [input.email, input.name]);
  const passwordHash = await hash(input.password);
  return transaction(async (tx) => {
    const member = await createOwner(tx, { ...input, passwordHash, isConfirmed: true });
    if (!member) {
      throw conflict("An account with this email already exists. Sign in instead.", "email");
    }
    return { ...member, email: input.email };
  });
}

/**
 * Creates an account for a new identity. `email_taken`: another member has the email; claiming it at a provider must not
 * take over their account. `sign_up_closed`: the identity is new, and sign-up isn't open.
 */
export async function findOrCreateMember(
  identity: Record<"provider" | "subject" | "email", string> & { name: string | null },
): Promise<{ id: string } | "email_taken" | "sign_up_closed"> {
  const { provider, subject } = identity;
  const known = await db().memberIdentity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { memberId: true },
  });
  if (known) {
    return { id: known.memberId };
  }
  if (env.SIGN_UP !== "open") {
    return "sign_up_closed";
  }
  return transaction(async (tx) => {
    const email = identity.email.trim().toLowerCase();
    const { name } = identity;
    const member = await createOwner(tx, { email, name, passwordHash: null, isConfirmed: true });
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
  owner: {
    email: string;
    name?: string | null | undefined;
    passwordHash: string | null;
    isConfirmed: boolean;
  },
): Promise<{ id: string; accountId: string } | null> {
  const accountId = newId("account");
  const name = owner.name || owner.email.split("@")[0] || "Account";
  await tx.query("auth_insert_account", "INSERT INTO account (id, name) VALUES ($1, $2)", [
    accountId,
    name,
  ]);
  const [member] = await tx.query<{ id: string }>(
    "auth_insert_owner",
    `INSERT INTO member (id, account_id, email, name, role, password_hash, email_confirmed_at)
     VALUES ($1, $2, $3, $4, 'owner', $5, CASE WHEN $6 THEN now() END)
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [
      newId("member"),
      accountId,
      owner.email,
      owner.name ?? null,
      owner.passwordHash,
      owner.isConfirmed,
    ],
  );
  if (!member) {
    await tx.query("auth_delete_account", "DELETE FROM account WHERE id = $1", [accountId]);
    return null;
  }
  await grantStartingBalance(tx, accountId);
  return { id: member.id, accountId };
}

/** Only while the operator pays nobody for what it buys: anyone could sign up again for more. */
async function grantStartingBalance(tx: Session, accountId: string): Promise<void> {
  const grantMicros = Math.round((env.SIGNUP_GRANT_USD ?? DEFAULT_GRANT_USD) * MICROS_PER_USD);
  if (grantMicros > 0 && !costsOperator(env)) {
    await tx.query("auth_grant", "SELECT credit_account($1, $2, 'grant', $3, $4, $5)", [
      newId("ledgerEntry"),
      accountId,
      grantMicros,
      `grant:sign-up:${accountId}`,
      "Starting balance",
    ]);
  }
}
