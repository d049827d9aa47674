import { AppError } from "@/lib/errors";

/** Whether the server refused because of this field. */
export function isAbout(error: unknown, field: string): boolean {
  return error instanceof AppError && error.param === field;
}

/** Where a form with a new password says why it was refused, and in which words. */
export function formatRefusal(
  error: unknown,
  otherwise = "",
): { field: "password" | "root"; message: string } {
  const message = error instanceof Error ? error.message : "Try again in a moment.";
  return isAbout(error, "password")
    ? { field: "password", message }
    : { field: "root", message: otherwise + message };
}
