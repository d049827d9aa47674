import type { Profile } from "next-auth";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import type { UserinfoEndpointHandler } from "next-auth/providers/oauth";
import * as z from "zod";
import { env } from "@/lib/platform/env";

const Emails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/** Configured providers, for the sign-in page. */
export function listOAuthProviders(): { id: string; name: string }[] {
  return oauthProviders().map(({ id, name }) => ({ id, name }));
}

export function oauthProviders() {
  return [
    env.GITHUB_CLIENT_ID && env.GITHUB_CLIENT_SECRET
      ? GitHub({
          clientId: env.GITHUB_CLIENT_ID,
          clientSecret: env.GITHUB_CLIENT_SECRET,
          ...(env.GITHUB_URL && enterpriseEndpoints(env.GITHUB_URL)),
        })
      : null,
    env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
      ? Google({ clientId: env.GOOGLE_CLIENT_ID, clientSecret: env.GOOGLE_CLIENT_SECRET })
      : null,
  ].filter((provider) => provider !== null);
}

/** GitHub Enterprise Server's equivalents of github.com's endpoints. */
function enterpriseEndpoints(server: string) {
  const at = (path: string) => new URL(path, server).href;
  const userinfo: UserinfoEndpointHandler = {
    url: at("/api/v3/user"),
    request: async ({ client, tokens }) => {
      const token = tokens.access_token ?? "";
      const profile = await client.userinfo<Profile>(token);
      // If the email is private, next-auth's provider would query github.com.
      return profile.email
        ? profile
        : { ...profile, ...(await primaryEmail(at("/api/v3/user/emails"), token)) };
    },
  };
  return {
    issuer: at("/login/oauth"),
    authorization: { url: at("/login/oauth/authorize"), params: { scope: "read:user user:email" } },
    token: at("/login/oauth/access_token"),
    userinfo,
  };
}

async function primaryEmail(address: string, token: string): Promise<{ email?: string }> {
  const response = await fetch(address, { headers: { authorization: `token ${token}` } });
  const emails = Emails.safeParse(await response.json().catch(() => null));
  const found = emails.data?.find(({ primary, verified }) => primary && verified);
  return found ? { email: found.email } : {};
}
