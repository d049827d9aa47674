import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { AppError } from "@/lib/errors";

/** Whether the server rejected this field. */
export function isAbout(error: unknown, field: string): boolean {
  return error instanceof AppError && error.param === field;
}

/** How the API says which field is wrong and what to do next, which a form shows by itself. */
const INVALID_FIELD = /^'[^']*' is not valid: (.*)\. Correct it and send the request again\.$/s;

/** What to show beside a field that the server rejected. */
export function fieldReason({ message }: Error): string {
  return INVALID_FIELD.exec(message)?.[1] ?? message;
}

/** Shows a server error beside its field, or for the whole form if it concerns none of `fields`. */
export function showServerError<T extends FieldValues>(
  setError: UseFormSetError<T>,
  error: unknown,
  fields: readonly Path<T>[],
): void {
  const field = fields.find((name) => isAbout(error, name));
  const message = error instanceof Error ? fieldReason(error) : "Try again in a moment.";
  setError(field ?? "root", { message }, { shouldFocus: Boolean(field) });
}
