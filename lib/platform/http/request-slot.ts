import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/singleton";

/** Counts the current request toward an account. Throws rate_limit_exceeded. */
type AssignSlot = (accountId: string) => void;

const slots = processSingleton("request slots", () => new AsyncLocalStorage<AssignSlot>());

/** Lets `assignSlot` reach the server's admission from any bundle while `work` runs. */
export function withRequestSlot<T>(assign: AssignSlot, work: () => T): T {
  return slots.run(assign, work);
}

/** Does nothing without the production server, as in `next dev`. */
export function assignSlot(accountId: string): void {
  slots.getStore()?.(accountId);
}
