import { toast } from "@/components/ui/toast";
import { signOut } from "@/lib/auth/client";

const NOT_SIGNED_OUT = "You are still signed in: the server could not be reached. Try again.";

/** Signs out, or says why not. */
export function leave(): void {
  signOut().catch(() => toast.error(NOT_SIGNED_OUT));
}
