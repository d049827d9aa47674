import { onTestFinished, vi } from "vitest";
import { searchLimiter } from "@/lib/library/retrieval/read/search-limiter";

/** Makes every search fail as if the database were down, until the test ends. */
export function breakSearch(): void {
  const spy = vi.spyOn(searchLimiter, "run").mockRejectedValue(new Error("the database is down"));
  onTestFinished(() => spy.mockRestore());
}
