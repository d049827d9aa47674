import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountCard } from "@/components/auth/account-card";
import { ProviderButtons } from "@/components/auth/provider-buttons";
import { SignInForm } from "@/components/auth/sign-in-form";
import { callbackPath } from "@/lib/platform/auth/callback-path";
import { listOAuthProviders } from "@/lib/platform/auth/oauth-providers";
import { currentMember } from "@/lib/platform/auth/page-gate";
import { env } from "@/lib/platform/env";

export const metadata: Metadata = { title: "Sign in" };

const PROVIDER_FAILED =
  "The provider couldn’t sign you in. Try again, or use your email and password.";
const PROBLEMS: Record<string, string> = {
  after_sign_up:
    "Sign in to continue. If this email already had an account, use its password or choose a new one.",
  email_taken:
    "An account with this email already exists. Sign in the way you signed up, or choose a new password.",
  sign_up_closed: "Sign-up is closed on this server. Ask for an invitation.",
  no_email:
    "The provider didn’t share a verified email. Allow it to, or use your email and password.",
  OAuthCallback: PROVIDER_FAILED,
  Callback: PROVIDER_FAILED,
  AccessDenied: "The provider denied access. Try again, or use your email and password.",
};
const OTHER_PROBLEM = "Something went wrong and you weren’t signed in. Try again.";

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
        question: "New to Footnote?",
        name: "Sign up",
        href: `/sign-up?callbackUrl=${encodeURIComponent(path)}`,
      }}
    >
      <ProviderButtons providers={listOAuthProviders()} path={path} />
      <SignInForm path={path} problem={error ? (PROBLEMS[String(error)] ?? OTHER_PROBLEM) : null} />
    </AccountCard>
  );
}
