import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { db } from "@/lib/db/client";
import type { Reader } from "../collections";

/** The member as a reader of documents: with the person that their personal documents are tied to. */
export async function toReaderContext(ctx: MemberContext): Promise<Reader> {
  const person = await db().person.findFirst({
    where: { accountId: ctx.account.id, kind: "member", reference: ctx.actor.id },
    select: { id: true },
  });
  return { ...ctx, actor: { ...ctx.actor, personId: person?.id ?? null } };
}
