import "server-only";

import type { KeyContext, MemberContext } from "@/lib/auth/context";

/**
 * Which stored answers a key may see, as SQL over its first three parameters: its account's, of the same person or of
 * none as itself, made from no knowledge scope that it lacks. A row that says no scopes at all is seen by nobody.
 */
export const READABLE_BY_KEY_SQL =
  "account_id = $1 AND person_id IS NOT DISTINCT FROM $2::text AND knowledge_scopes <@ $3::text[]";

/** The three parameters. */
export function readableByKey({ account, actor }: KeyContext): unknown[] {
  return [account.id, actor.personId, [...actor.knowledgeScopes]];
}

/**
 * Which stored answers a member may see, over the first two parameters: their account's that are tied to no person, or
 * to themselves.
 */
export const READABLE_BY_MEMBER_SQL = `account_id = $1 AND (person_id IS NULL OR EXISTS (
  SELECT 1 FROM person p WHERE p.id = stored_completion.person_id AND p.account_id = $1
     AND p.kind = 'member' AND p.reference = $2))`;

/** The two parameters. */
export function readableByMember({ account, actor }: MemberContext): unknown[] {
  return [account.id, actor.id];
}
