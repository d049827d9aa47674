import { fetchJson } from "@/lib/fetch-json";
import type {
  ConfirmEmail,
  ForgotPassword,
  InvitationOffer,
  Join,
  ResetPassword,
  SignUp,
} from "./schema";

/** Creates an account with its first member, unless the email has one: the response doesn't reveal which. */
export const postSignUp = poster<SignUp>("account/sign-up");

/** Requests a password reset link; the response doesn't reveal whether the email has an account. */
export const postForgotPassword = poster<ForgotPassword>("account/forgot-password");

/** Sets a new password. Returns how many keys were revoked. Throws AppError, with the param `token` when the link has expired. */
export async function postResetPassword(body: ResetPassword): Promise<number> {
  const schema = async () => (await import("./schema")).PasswordWasReset;
  const { revoked_keys } = await fetchJson("/api/account/reset-password", { schema, body });
  return revoked_keys;
}

/** Accepts an invitation. Throws AppError as `fetchInvitation` does, and `conflict`. */
export const postJoin = poster<Join>("account/join");

/** Throws AppError, with the param `token` when the link has expired, and `missing_session`. */
export const postConfirmEmail = poster<ConfirmEmail>("settings/email/confirm");

/** Sends the signed-in member another link. */
export const postResendConfirmation = poster<object>("settings/email/resend");

/** Throws AppError, with the param `token` when the invitation has expired. */
export function fetchInvitation(token: string): Promise<InvitationOffer> {
  const schema = async () => (await import("./schema")).InvitationOffer;
  return fetchJson("/api/account/invitation", { schema, body: { token } });
}

/** For responses that say nothing but success. */
function poster<Input extends object>(path: string) {
  return async (body: Input): Promise<void> => {
    await fetchJson(`/api/${path}`, { schema: anything, body });
  };
}

async function anything() {
  return (await import("zod")).unknown();
}

export type PasswordOutcome =
  | "signed_in"
  | "wrong_password"
  | "failed"
  /** Too many attempts. */
  | { waitSeconds: number };

export async function signInWithPassword(
  email: string,
  password: string,
): Promise<PasswordOutcome> {
  const { signIn } = await nextAuth();
  const answer = await signIn("credentials", { email, password, redirect: false });
  if (answer?.ok && !answer.error) {
    return "signed_in";
  }
  if (answer?.error === "CredentialsSignin") {
    return "wrong_password";
  }
  const waitSeconds = /^too_many_tries:(\d+)$/.exec(answer?.error ?? "")?.[1];
  return waitSeconds ? { waitSeconds: Number(waitSeconds) } : "failed";
}

/** Goes to the provider's page, which returns to `path`. */
export async function signInWithProvider(provider: string, path: string): Promise<void> {
  const { signIn } = await nextAuth();
  await signIn(provider, { callbackUrl: path });
}

/** Event on sign-out, so that listeners clear the member's data from memory. */
export const SIGNED_OUT = "footnote:signed-out";

export async function signOut(): Promise<void> {
  const { signOut: endSession } = await nextAuth();
  await endSession({ redirect: false });
  sessionStorage.clear();
  window.dispatchEvent(new Event(SIGNED_OUT));
  window.location.assign("/sign-in");
}

/** Loaded on first use, so that no page waits for it. */
function nextAuth() {
  return import("next-auth/react");
}
