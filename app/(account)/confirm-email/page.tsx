import { AccountCard, linkMetadata } from "@/components/auth/account-card";
import { ConfirmEmailForm } from "@/components/auth/confirm-email-form";
import { LINK_SCRIPT } from "@/components/auth/link-script";
import { ConsoleProviders } from "@/components/shell/console-providers";

export const metadata = linkMetadata("Confirm your email");

export default function ConfirmEmailPage() {
  return (
    <>
      <AccountCard
        title="Confirm your email"
        other={{ question: "Not signed in?", name: "Sign in", href: "/sign-in" }}
      >
        <ConsoleProviders>
          <ConfirmEmailForm />
        </ConsoleProviders>
      </AccountCard>
      <script>{LINK_SCRIPT}</script>
    </>
  );
}
