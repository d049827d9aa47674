import "server-only";

import { db } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { MemberContext } from "../context";
import { Role } from "../schema";
import type { Settings } from "../settings-schema";

/** An account of people, not of rows: more members than this are no longer a list one reads. */
const MOST = 1000;

/** What the member may see of themselves, their account and its members. Throws missing_session once they are gone. */
export async function getSettings(ctx: MemberContext): Promise<Settings> {
  const member = await findSelf(ctx);
  const members = member?.account.members.map(({ createdAt, role, ...row }) => ({
    ...row,
    role: Role.parse(role),
    created_at: createdAt.toISOString(),
  }));
  const self = members?.find(({ id }) => id === ctx.actor.id);
  if (!member || !members || !self) {
    throw new AppError("missing_session", "You are not signed in. Sign in and try again.");
  }
  const { created_at: _, ...profile } = self;
  const { invitations, ...account } = member.account;
  return {
    object: "settings",
    profile: { ...profile, has_password: member.passwordHash !== null },
    account: { id: account.id, name: account.name },
    sessions: member.sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
      id,
      user_agent: userAgent,
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      is_current: id === ctx.actor.sessionId,
    })),
    members,
    invitations:
      self.role === "owner"
        ? invitations.map(({ id, email, role, expiresAt }) => ({
            id,
            email,
            role: Role.parse(role),
            expires_at: expiresAt.toISOString(),
          }))
        : [],
  };
}

function findSelf({ account, actor }: MemberContext) {
  const isOpen = { expiresAt: { gt: new Date() } };
  return db().member.findFirst({
    where: { id: actor.id, accountId: account.id },
    select: {
      passwordHash: true,
      account: {
        select: {
          id: true,
          name: true,
          members: {
            orderBy: { id: "asc" },
            take: MOST,
            select: { id: true, email: true, name: true, role: true, createdAt: true },
          },
          invitations: {
            where: isOpen,
            orderBy: { createdAt: "desc" },
            take: MOST,
            select: { id: true, email: true, role: true, expiresAt: true },
          },
        },
      },
      sessions: {
        where: isOpen,
        orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
        take: MOST,
        select: { id: true, userAgent: true, createdAt: true, lastSeenAt: true },
      },
    },
  });
}
