import "server-only";

import { ChoiceProcessor } from "@/lib/answers/chat/choice-processor";
import { ClaimJudge } from "@/lib/answers/chat/claim-judge";
import { chatModel } from "@/lib/answers/chat/dispatch";
import { ground } from "@/lib/answers/chat/ground";
import { planChat } from "@/lib/answers/chat/plan";
import { ChatRequest } from "@/lib/answers/chat/schema";
import { toAnswer } from "@/lib/answers/chat/write/complete";
import { embeddedModel } from "@/lib/models/catalogue";
import { SentCalls } from "@/lib/models/sent-call";
import { INTERNAL_KEY, type KeyContext } from "@/lib/platform/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { asTenant } from "@/lib/platform/db/tenant-context";
import { DemoReply } from "../schema";
import { scriptedAnswer, scriptedModel } from "../scripted";
import { SCRIPTED_QUESTION } from "../suggestions";

interface DemoRequest {
  question: string;
  requestId: string;
  signal: AbortSignal;
}

/**
 * Answers a visitor's question from the public knowledge base with the built-in model, which costs the operator nothing.
 * The same pipeline as a request of an account, but for hold, charge, usage record and storage.
 */
export function answerDemoQuestion(asked: DemoRequest): Promise<DemoReply> {
  return asTenant(PUBLIC_ACCOUNT_ID, () => answer(asked));
}

async function answer({ question, requestId, signal }: DemoRequest) {
  const { id: model } = embeddedModel();
  const ctx = visitorContext(model, { requestId, signal });
  const body = ChatRequest.parse({
    model,
    messages: [{ role: "user", content: question }],
    citations: {
      enabled: true,
      required: true,
      return: "cited",
      numbering: "appearance",
      verify: "rules",
    },
  });
  const plan = await planChat(ctx, body);
  const grounded = await ground(ctx, plan);
  const { request, retrieved } = grounded;
  const judge = retrieved && new ClaimJudge(retrieved.sources, { verifier: null }, signal);
  const script = question === SCRIPTED_QUESTION ? scriptedAnswer(retrieved?.sources ?? []) : null;
  const writer = script
    ? scriptedModel(script)
    : chatModel(plan.models, {
        calls: new SentCalls(),
        most: plan.bound,
        sources: retrieved?.promptSources ?? null,
        searched: retrieved?.searched ?? null,
      });
  const completion = await writer.complete(request, signal);
  const { choices, citations } = await toAnswer(
    completion,
    new ChoiceProcessor(grounded, judge),
    model,
  );
  const [choice] = choices;
  return DemoReply.parse({
    object: "demo.answer",
    question,
    content: choice?.message.content ?? "",
    annotations: choice?.message.annotations ?? [],
    verification: choice?.message.verification ?? null,
    citations: citations ?? [],
    is_scripted: script !== null,
  });
}

/** May read the public knowledge base and call the built-in model, and nothing else. */
function visitorContext(
  model: string,
  { requestId, signal }: Pick<DemoRequest, "requestId" | "signal">,
): KeyContext {
  return {
    account: { id: PUBLIC_ACCOUNT_ID },
    actor: {
      ...INTERNAL_KEY,
      id: "key_demo",
      scopes: ["chat:completions"],
      knowledgeScopes: ["public_kb"],
      models: [model],
    },
    requestId,
    signal,
  };
}
