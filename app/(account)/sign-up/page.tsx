import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountCard } from "@/components/auth/account-card";
import { ProviderButtons } from "@/components/auth/provider-buttons";
import { SignUpForm } from "@/components/auth/sign-up-form";
import { TermsNotice } from "@/components/auth/terms-notice";
import { readRepositoryFile } from "@/components/docs/source";
import { callbackPath, HOME_PATH } from "@/lib/platform/auth/callback-path";
import { listOAuthProviders } from "@/lib/platform/auth/oauth-providers";
import { currentMember } from "@/lib/platform/auth/page-gate";
import { env } from "@/lib/platform/env";

export const metadata: Metadata = { title: "Sign up" };

const LEGAL_FILES = ["docs/legal/terms.md", "docs/legal/privacy.md"];
const CLOSED = {
  invite:
    "This server is invitation-only. Ask an owner of your team’s account to invite you, then open the link in the invitation.",
  closed: "This server isn’t accepting new members. Ask its operator if you need an account.",
};

interface SignUpPageProps {
  searchParams: Promise<{ callbackUrl?: string | string[] }>;
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  const { callbackUrl } = await searchParams;
  const asked = callbackPath(String(callbackUrl ?? ""), env.APP_URL);
  // A new account has nothing to see on the overview yet.
  const path = asked === HOME_PATH ? "/start" : asked;
  if (await currentMember()) {
    redirect(asked);
  }
  return (
    <AccountCard
      title={env.SIGN_UP === "open" ? "Create your account" : "Sign-up isn’t open"}
      other={{
        question: "Already have an account?",
        name: "Sign in",
        href: `/sign-in?callbackUrl=${encodeURIComponent(asked)}`,
      }}
    >
      {env.SIGN_UP === "open" ? (
        <>
          <ProviderButtons providers={listOAuthProviders()} path={path} />
          <SignUpForm path={path} />
          <TermsNotice texts={await Promise.all(LEGAL_FILES.map(readRepositoryFile))} />
        </>
      ) : (
        <p className="text-muted">{CLOSED[env.SIGN_UP]}</p>
      )}
    </AccountCard>
  );
}
