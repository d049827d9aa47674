import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountCard } from "@/components/auth/account-card";
import { ProviderButtons } from "@/components/auth/provider-buttons";
import { SignInForm } from "@/components/auth/sign-in-form";
import { callbackPath } from "@/lib/auth/callback-path";
import { listOAuthProviders } from "@/lib/auth/oauth-providers";
import { currentMember } from "@/lib/auth/page-gate";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Sign in" };

const NOT_BY_PROVIDER =
  "The provider did not sign you in. Try again, or use your e-mail and password.";
const PROBLEMS: Record<string, string> = {
  after_sign_up: "Your account is made, but you are not signed in yet. Sign in here.",
  email_taken:
    "There is an account with this e-mail already, and it signs in another way. Use the way you signed up with.",
  no_email:
    "The provider gave no verified e-mail. Let it share one, or use your e-mail and password.",
  OAuthCallback: NOT_BY_PROVIDER,
  Callback: NOT_BY_PROVIDER,
  AccessDenied: "The provider refused. Try again, or use your e-mail and password.",
};
const ANY_PROBLEM = "You are not signed in, because something went wrong on the way. Try again.";

interface SignInPageProps {
  searchParams: Promise<{
    callbackUrl?: string | string[];
    error?: string | string[];
  }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { callbackUrl, error } = await searchParams;
  const path = callbackPath(String(callbackUrl ?? ""), env.APP_URL);
  if (await currentMember()) {
    redirect(path);
  }
  return (
    <AccountCard
      title="Sign in to Footnote"
      other={{
        question: "No account yet?",
        name: "Sign up",
        href: `/sign-up?callbackUrl=${encodeURIComponent(path)}`,
      }}
    >
      <ProviderButtons providers={listOAuthProviders()} path={path} />
      <SignInForm path={path} problem={error ? (PROBLEMS[String(error)] ?? ANY_PROBLEM) : null} />
    </AccountCard>
  );
}
