import { fetchJson } from "@/lib/fetch-json";
import type { ForgotPassword, InvitationOffer, Join, ResetPassword, SignUp } from "./schema";

/** Makes an account with its first member. Throws AppError, `conflict` when the e-mail is taken. */
export async function postSignUp(input: SignUp): Promise<void> {
  await fetchJson("/api/account/sign-up", { schema: signedUp, method: "POST", body: input });
}

/** Asks for a link to a new password; the answer says nothing of who has the e-mail. */
export async function postForgotPassword(input: ForgotPassword): Promise<void> {
  await fetchJson("/api/account/forgot-password", {
    schema: anything,
    method: "POST",
    body: input,
  });
}

/** Sets a new password. Throws AppError, with the param `token` when the link works no more. */
export async function postResetPassword(input: ResetPassword): Promise<void> {
  await fetchJson("/api/account/reset-password", { schema: anything, method: "POST", body: input });
}

/** What an invitation's link offers. Throws AppError, with the param `token` when it works no more. */
export function fetchInvitation(token: string): Promise<InvitationOffer> {
  return fetchJson("/api/account/invitation", {
    schema: async () => (await import("./schema")).InvitationOffer,
    method: "POST",
    body: { token },
  });
}

/** Makes the member an invitation is for. Throws AppError as `openInvitation` does, and `conflict`. */
export async function postJoin(input: Join): Promise<void> {
  await fetchJson("/api/account/join", { schema: signedUp, method: "POST", body: input });
}

async function signedUp() {
  const z = await import("zod");
  return z.object({ object: z.literal("member"), id: z.string(), email: z.string() });
}

async function anything() {
  return (await import("zod")).unknown();
}

export type PasswordOutcome =
  | "signed_in"
  | "wrong_password"
  | "failed"
  /** Too many tries: when the next one may be made. */
  | { waitSeconds: number };

export async function signInWithPassword(
  email: string,
  password: string,
): Promise<PasswordOutcome> {
  const { signIn } = await nextAuth();
  const answer = await signIn("credentials", {
    email,
    password,
    redirect: false,
  });
  if (answer?.ok && !answer.error) {
    return "signed_in";
  }
  if (answer?.error === "CredentialsSignin") {
    return "wrong_password";
  }
  const waitSeconds = /^too_many_tries:(\d+)$/.exec(answer?.error ?? "")?.[1];
  return waitSeconds ? { waitSeconds: Number(waitSeconds) } : "failed";
}

/** Leaves for the provider's page, which leads back to `path`. */
export async function signInWithProvider(provider: string, path: string): Promise<void> {
  const { signIn } = await nextAuth();
  await signIn(provider, { callbackUrl: path });
}

/** Told to this tab when its member has signed out, so that nothing of theirs stays in its memory. */
export const SIGNED_OUT = "footnote:signed-out";

/** Signs out, forgets what pages kept for this tab, and leaves for the sign-in page. */
export async function signOut(): Promise<void> {
  const { signOut: leave } = await nextAuth();
  await leave({ redirect: false });
  sessionStorage.clear();
  window.dispatchEvent(new Event(SIGNED_OUT));
  window.location.assign("/sign-in");
}

/** Fetched when it is first needed: no page has to wait for it. */
function nextAuth() {
  return import("next-auth/react");
}
