/** A command that was typed wrong: one sentence, and exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
