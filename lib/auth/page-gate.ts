import "server-only";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { newId } from "@/lib/id";
import type { MemberContext } from "./context";
import { findMember } from "./read";
import { sessionMemberId } from "./session";

/** The member who asks for the page being rendered; null for a stranger and for a member who was removed. */
export const currentMember = cache(async (): Promise<MemberContext | null> => {
  const memberId = await sessionMemberId(await headers());
  const found = memberId ? await findMember(memberId) : null;
  return (
    found && {
      account: { id: found.accountId },
      actor: found.actor,
      requestId: newId("request"),
      signal: new AbortController().signal,
    }
  );
});

/** The gate of a console page: a stranger comes to /sign-in and, once signed in, back to `path`. */
export async function requireMember(path: string): Promise<MemberContext> {
  return (await currentMember()) ?? redirect(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
}
