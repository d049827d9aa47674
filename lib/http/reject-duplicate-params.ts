import { AppError } from "@/lib/errors";

/** Throws invalid_request for a query parameter that stands twice: all but its last value would go unseen. */
export function rejectDuplicateParams(request: Request): void {
  const { searchParams } = new URL(request.url);
  const repeated = [...searchParams.keys()].find((name) => searchParams.getAll(name).length > 1);
  if (repeated) {
    throw new AppError(
      "invalid_request",
      `'${repeated}' stands more than once in the query. Give it once, several values with commas between them.`,
      { param: repeated },
    );
  }
}
