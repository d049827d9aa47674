import { newId } from "@/lib/id";
import type { KeyContext } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";

/** An answer that a key can get again with its Idempotency-Key. */
export async function keepIdempotent({ account, actor }: KeyContext, text: string): Promise<void> {
  await db().idempotentRequest.create({
    data: {
      accountId: account.id,
      keyId: actor.id,
      idempotencyKey: text,
      requestHash: text,
      requestId: newId("request"),
      leaseUntil: new Date(),
      answer: text,
    },
  });
}
