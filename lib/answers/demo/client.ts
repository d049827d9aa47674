import { fetchJson } from "@/lib/fetch-json";
import type { DemoAnswer } from "./schema";

/** Asks the live demo. Throws AppError. */
export function postDemoQuestion(question: string): Promise<DemoAnswer> {
  return fetchJson("/api/demo", {
    schema: async () => (await import("./schema")).DemoAnswer,
    body: { question },
  });
}
