import { AppError } from "@/lib/errors";

/** Throws invalid_request for a password that is easy to guess, for somebody who knows these of its owner too. */
export async function requireStrongPassword(
  password: string,
  known: readonly (string | null | undefined)[],
): Promise<void> {
  // Fetched when it is first needed: its dictionaries would make every start slower.
  const { MIN_PASSWORD_SCORE, passwordScore } = await import("./password-score");
  const words = known.filter((text) => typeof text === "string");
  if (passwordScore(password, words) < MIN_PASSWORD_SCORE) {
    throw new AppError(
      "invalid_request",
      "This password is easy to guess. Choose a few words that have nothing to do with each other or with you.",
      { param: "password" },
    );
  }
}
