import "server-only";

import { hash } from "@node-rs/argon2";
import { type AppError, conflict, invalidRequest, notFound } from "@/lib/errors";
import { newId } from "@/lib/id";
import { recordEvent } from "@/lib/platform/audit/write";
import { query, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { canMail, sendMail } from "@/lib/platform/mail";
import type { AnonymousContext, MemberContext } from "../context";
import { limitInvitations } from "../limits";
import { getSettings, requireOwner } from "../read";
import { type InvitationOffer, type Join, type OpenInvitation, Role } from "../schema";
import { generateToken, hashSecret } from "../secret";
import type { Invite, Invited, Settings } from "../settings-schema";
import { lockMembers } from "./members";
import { requireStrongPassword } from "./password";
import { closedSignUp } from "./sign-up";

const LIFE_SECONDS = 7 * 24 * 60 * 60;
/** Pending per account, so that no one floods the table or other people's mailboxes. */
const MAX_INVITATIONS = 100;

/**
 * Inviting the same email again replaces the earlier link. Returns the link only if it couldn't be mailed. An email with
 * another account gets the same response; only the mailed link tells. Throws insufficient_scope,
 * rate_limit_exceeded, or conflict for a member of this account.
 */
export async function createInvitation(ctx: MemberContext, input: Invite): Promise<Invited> {
  const { account, actor } = ctx;
  const { email, role } = input;
  if (env.SIGN_UP === "closed") {
    throw closedSignUp();
  }
  await limitInvitations(account.id);
  const id = newId("invitation");
  const token = generateToken();
  const tokenHash = hashSecret(token);
  await transaction(async (tx) => {
    const members = await lockMembers(tx, ctx);
    requireOwner(ctx, members);
    if (members.some((member) => member.email === email)) {
      const message = "This person is already a member of the account. Invite another address.";
      throw conflict(message, "email");
    }
    await tx.query(
      "auth_sweep_invitations",
      "DELETE FROM invitation WHERE account_id = $1 AND expires_at <= now()",
      [account.id],
    );
    const [made] = await tx.query<{ id: string }>(
      "auth_invite",
      `INSERT INTO invitation (id, account_id, invited_by_id, email, role, token_hash, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7)
        WHERE $8 > (SELECT count(*) FROM invitation i WHERE i.account_id = $2 AND i.email <> $4)
       ON CONFLICT (account_id, email) DO UPDATE
          SET invited_by_id = excluded.invited_by_id, role = excluded.role, token_hash = excluded.token_hash,
              created_at = excluded.created_at, expires_at = excluded.expires_at, mailed_at = NULL
       RETURNING id`,
      [id, account.id, actor.id, email, role, tokenHash, LIFE_SECONDS, MAX_INVITATIONS],
    );
    if (!made) {
      throw conflict(
        `At most ${MAX_INVITATIONS} invitations can be pending. Revoke some you don't need.`,
      );
    }
    const target = { id: made.id, name: email };
    await recordEvent(tx, ctx, { action: "member.invited", target, details: { role } });
  });
  const settings = await getSettings(ctx);
  // In the URL fragment, which browsers don't send.
  const link = new URL(`/join#${token}`, env.APP_URL).href;
  const isSent = await sendInvitation(email, link, settings.account.name);
  if (isSent) {
    await query(
      "auth_note_mailed",
      "UPDATE invitation SET mailed_at = now() WHERE token_hash = $1",
      [tokenHash],
    );
  }
  return { settings, email, link: isSent ? null : link };
}

/** Throws insufficient_scope or not_found. */
export async function revokeInvitation(ctx: MemberContext, id: string): Promise<Settings> {
  await transaction(async (tx) => {
    requireOwner(ctx, await lockMembers(tx, ctx));
    const [revoked] = await tx.query(
      "auth_revoke_invitation",
      "DELETE FROM invitation WHERE id = $1 AND account_id = $2 RETURNING id",
      [id, ctx.account.id],
    );
    if (!revoked) {
      throw notFound("This invitation was already accepted or revoked. Reload the list.");
    }
    await recordEvent(tx, ctx, { action: "invitation.revoked", target: { id } });
  });
  return getSettings(ctx);
}

/** Throws invalid_request for a link that was used, revoked or has expired. */
export async function getInvitation({ token }: OpenInvitation): Promise<InvitationOffer> {
  const [row] = await query<{ name: string; email: string; role: string }>(
    "auth_open_invitation",
    `SELECT a.name, i.email, i.role FROM invitation i JOIN account a ON a.id = i.account_id
      WHERE i.token_hash = $1 AND i.expires_at > now()`,
    [hashSecret(token)],
  );
  if (!row) {
    throw invalidInvitation();
  }
  return {
    object: "invitation_offer",
    account_name: row.name,
    email: row.email,
    role: Role.parse(row.role),
  };
}

/**
 * Each invitation works once. Throws invalid_request for an expired link or a weak password, insufficient_scope when the
 * server takes no new members, or conflict when the email has an account. That only a mailed link tells: otherwise the
 * inviter may have opened it to find out.
 */
export async function acceptInvitation(
  { requestId }: AnonymousContext,
  input: Join,
): Promise<{ email: string }> {
  if (env.SIGN_UP === "closed") {
    throw closedSignUp();
  }
  // Hashing is expensive, so require a valid link first.
  const offer = await getInvitation(input);
  await requireStrongPassword(input.password, [offer.email, input.name, offer.account_name]);
  const passwordHash = await hash(input.password);
  return transaction(async (tx) => {
    const [used] = await tx.query<{
      account_id: string;
      email: string;
      role: string;
      mailed_at: Date | null;
    }>(
      "auth_use_invitation",
      `DELETE FROM invitation WHERE token_hash = $1 AND expires_at > now()
       RETURNING account_id, email, role, mailed_at`,
      [hashSecret(input.token)],
    );
    if (!used) {
      throw invalidInvitation();
    }
    const { account_id, email, role, mailed_at } = used;
    const actor = {
      kind: "member",
      id: newId("member"),
      email,
      name: input.name || null,
    } as const;
    const [member] = await tx.query(
      "auth_join",
      `INSERT INTO member (id, account_id, email, name, role, password_hash, email_confirmed_at)
       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7::timestamptz IS NOT NULL THEN now() END)
       ON CONFLICT (email) DO NOTHING RETURNING id`,
      [actor.id, account_id, email, actor.name, role, passwordHash, mailed_at],
    );
    if (!member && !mailed_at) {
      return { email };
    }
    if (!member) {
      throw conflict(
        "This email already has an account. Ask for an invitation to another address.",
      );
    }
    await recordEvent(
      tx,
      { account: { id: account_id }, actor, requestId },
      { action: "member.joined", target: { id: actor.id }, details: { role } },
    );
    return { email };
  });
}

/** Returns whether the mail was sent. */
async function sendInvitation(email: string, link: string, accountName: string): Promise<boolean> {
  if (!canMail()) {
    return false;
  }
  const text = [
    `You've been invited to join "${accountName}" on Footnote.`,
    `Choose a password within seven days:\n\n${link}`,
    "If you weren't expecting this, ignore this email.",
  ].join("\n\n");
  try {
    await sendMail({ to: email, subject: "You're invited to Footnote", text });
    return true;
  } catch (cause) {
    log.error({ err: cause }, "sending an invitation failed");
    return false;
  }
}

function invalidInvitation(): AppError {
  return invalidRequest(
    "This invitation has expired, or was already used or revoked. Ask for a new one.",
    "token",
  );
}
