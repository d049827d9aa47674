import { AccountCard, linkMetadata } from "@/components/auth/account-card";
import { JoinForm } from "@/components/auth/join-form";
import { INVITATION_SCRIPT, LINK_SCRIPT } from "@/components/auth/link-script";
import { callbackPath } from "@/lib/platform/auth/callback-path";

export const metadata = linkMetadata("Join an account");

export default function JoinPage() {
  return (
    <>
      <AccountCard
        title="Join an account"
        other={{ question: "Already have an account?", name: "Sign in", href: "/sign-in" }}
      >
        <JoinForm path={callbackPath(null)} />
      </AccountCard>
      <script>{LINK_SCRIPT}</script>
      <script>{INVITATION_SCRIPT}</script>
    </>
  );
}
