import { AppError } from "@/lib/errors";
import type { MemberContext } from "./context";
import type { Role } from "./schema";

/** `members`: as they are now, for the role counts that is, and not the one of when the session began. */
export function requireOwner(
  { actor }: MemberContext,
  members: readonly { id: string; role: Role }[],
): void {
  if (members.find(({ id }) => id === actor.id)?.role !== "owner") {
    throw new AppError(
      "insufficient_scope",
      "Only an owner of the account may do this. Ask one of them.",
    );
  }
}
