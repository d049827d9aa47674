import "server-only";

import type { Completion } from "@/lib/models/schema";
import type { ChoiceProcessor } from "../choice-processor";
import type { Meter } from "../metering";
import type { ChatRequest } from "../schema";
import { storeCompletion } from "./store";

interface Answered {
  body: ChatRequest;
  answering: ChoiceProcessor;
  /** As it is sent, but for what it cost. */
  answer: () => Completion;
}

/** Keeps an answer whose request said so. Before the charge: what cannot be kept as asked is not paid for. */
export async function storeAnswer(
  { ctx, plan }: Meter,
  { body, answering, answer }: Answered,
): Promise<void> {
  if (!plan.isStored) {
    return;
  }
  await storeCompletion(ctx, {
    messages: body.messages,
    metadata: body.metadata ?? {},
    response: answer(),
    passages: answering.grounded.retrieved?.passages ?? [],
    knowledgeScopes: plan.retrieval?.collections.map(({ scope }) => scope) ?? [],
  });
}
