import "server-only";

import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import * as z from "zod";
import { isPostgresText } from "@/lib/platform/db/postgres-text";
import { env } from "@/lib/platform/env";
import { clientAddress } from "@/lib/platform/http/request";
import { log } from "@/lib/platform/log";
import { callbackPath } from "./callback-path";
import { authCookies, hasSecureCookies } from "./cookies";
import { isKnownBrowser } from "./known-browser";
import { consumeAttempt } from "./limits";
import { oauthProviders } from "./oauth-providers";
import { sessionSecret } from "./session";
import { verifyPassword } from "./write/password";
import { createSession, endSession, SESSION_SECONDS } from "./write/session";
import { findOrCreateMember } from "./write/sign-up";

const PasswordInput = z.object({
  email: z.string().max(320).refine(isPostgresText),
  password: z.string().max(200),
});

declare module "next-auth" {
  interface User {
    /** The id of the session's row. */
    sid?: string;
  }
}

interface Browser {
  userAgent: string | null;
  /** After the right password. */
  onPasswordVerified: (email: string) => void;
}

/** The session cookie holds only the ids of the member and of the session's row. */
export function authOptions({ userAgent, onPasswordVerified }: Browser): NextAuthOptions {
  return {
    secret: sessionSecret(),
    useSecureCookies: hasSecureCookies,
    cookies: authCookies(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [password({ userAgent, onPasswordVerified }), ...oauthProviders()],
    callbacks: {
      signIn: async (facts) =>
        facts.account?.type === "credentials" || linkOAuthMember(facts, userAgent),
      // `user` is set only right after sign-in.
      jwt: ({ token, user }) =>
        user ? { sub: user.id, sid: user.sid } : { sub: token.sub ?? "", sid: token.sid },
      session: ({ session }) => ({ expires: session.expires }),
      redirect: ({ url }) => new URL(callbackPath(url, env.APP_URL), env.APP_URL).href,
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sid === "string") {
          await endSession(token.sid);
        }
      },
    },
    logger: {
      error: (code, cause) =>
        log.error({ err: cause instanceof Error ? cause : cause.error, code }, "sign-in failed"),
      warn: (code) => log.warn({ code }, "sign-in warning"),
    },
  };
}

function password({ userAgent, onPasswordVerified }: Browser) {
  return Credentials({
    credentials: { email: {}, password: {} },
    authorize: async (credentials, request) => {
      const { data } = PasswordInput.safeParse(credentials);
      if (!data) {
        return null;
      }
      const forwardedFor: unknown = request.headers?.["x-forwarded-for"];
      const address = clientAddress(typeof forwardedFor === "string" ? forwardedFor : null);
      const cookies: unknown = request.headers?.cookie;
      const waitSeconds = await consumeAttempt({
        email: data.email,
        address,
        isKnownBrowser: typeof cookies === "string" && isKnownBrowser(cookies, data.email),
      });
      if (waitSeconds > 0) {
        throw new Error(`too_many_tries:${waitSeconds}`);
      }
      const member = await verifyPassword(data);
      const sid = member && (await createSession(member, userAgent));
      if (!sid) {
        return null;
      }
      onPasswordVerified(member.email);
      return { id: member.id, email: member.email, name: member.name, sid };
    },
  });
}

type SignInCallback = NonNullable<NonNullable<NextAuthOptions["callbacks"]>["signIn"]>;
type SignInFacts = Parameters<SignInCallback>[0];

/** Replaces the provider's user id with our member's, and creates the session. Returns an error page when that isn't possible. */
async function linkOAuthMember(
  { user, account, profile }: SignInFacts,
  userAgent: string | null,
): Promise<true | string> {
  const isUnverified = profile && "email_verified" in profile && profile.email_verified === false;
  if (!account || !user.email || isUnverified) {
    return "/sign-in?error=no_email";
  }
  const member = await findOrCreateMember({
    provider: account.provider,
    subject: account.providerAccountId,
    email: user.email,
    name: user.name ?? null,
  });
  if (typeof member === "string") {
    return `/sign-in?error=${member}`;
  }
  const sid = await createSession(member, userAgent);
  if (!sid) {
    return "/sign-in?error=no_member";
  }
  Object.assign(user, { id: member.id, sid });
  return true;
}
