import { signOut } from "@/lib/auth/client";

const NOT_SIGNED_OUT = "You are still signed in: the server could not be reached. Try again.";

/** Signs out, or says why not. */
export function leave(): void {
  signOut().catch(async () => (await import("sonner")).toast.error(NOT_SIGNED_OUT));
}
