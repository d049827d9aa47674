import { toast } from "@/components/ui/toast";
import { signOut } from "@/lib/auth/client";

/** Signs out, or shows why it failed. */
export function signOutOrWarn(): void {
  signOut().catch(() =>
    toast.error("You’re still signed in because the server can’t be reached. Try again."),
  );
}
