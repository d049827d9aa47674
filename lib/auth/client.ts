import { fetchJson } from "@/lib/fetch-json";
import type { SignUp } from "./schema";

/** Makes an account with its first member. Throws AppError, `conflict` when the e-mail is taken. */
export async function signUp(input: SignUp): Promise<void> {
  await fetchJson("/api/account/sign-up", { schema: signedUp, method: "POST", body: input });
}

async function signedUp() {
  const z = await import("zod");
  return z.object({ object: z.literal("member"), id: z.string(), email: z.string() });
}

export type PasswordOutcome = "signed_in" | "wrong_password" | "too_many_tries" | "failed";

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
  return answer?.error === "too_many_tries" ? "too_many_tries" : "failed";
}

/** Leaves for the provider's page, which leads back to `path`. */
export async function signInWithProvider(provider: string, path: string): Promise<void> {
  const { signIn } = await nextAuth();
  await signIn(provider, { callbackUrl: path });
}

export async function signOut(): Promise<void> {
  const { signOut: leave } = await nextAuth();
  await leave({ callbackUrl: "/sign-in" });
}

/** Fetched when it is first needed: no page has to wait for it. */
function nextAuth() {
  return import("next-auth/react");
}
