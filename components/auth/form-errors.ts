import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import { AppError } from "@/lib/errors";

/** Whether the server rejected this field. */
export function isAbout(error: unknown, field: string): boolean {
  return error instanceof AppError && error.param === field;
}

/** Shows a server error beside its field, or for the whole form if it concerns none of `fields`. */
export function showServerError<T extends FieldValues>(
  setError: UseFormSetError<T>,
  error: unknown,
  fields: readonly Path<T>[],
): void {
  const field = fields.find((name) => isAbout(error, name));
  const message = error instanceof Error ? error.message : "Try again in a moment.";
  setError(field ?? "root", { message }, { shouldFocus: Boolean(field) });
}
