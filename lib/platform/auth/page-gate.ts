import "server-only";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { newId } from "@/lib/id";
import { renderWithTenant } from "@/lib/platform/db/tenant-context";
import type { MemberContext } from "./context";
import { currentSession } from "./write/session";

/** The signed-in member; null without a valid session. */
export const currentMember = cache(async (): Promise<MemberContext | null> => {
  const found = await currentSession(await headers());
  return (
    found && {
      account: { id: found.accountId },
      actor: found.actor,
      requestId: newId("request"),
      signal: new AbortController().signal,
    }
  );
});

/** The gate of console pages: redirects to /sign-in, which returns to `path`. */
export async function requireMember(path: string): Promise<MemberContext> {
  const member = await currentMember();
  if (!member) {
    redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
  }
  renderWithTenant(member.account.id);
  return member;
}
