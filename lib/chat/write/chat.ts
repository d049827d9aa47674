import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { admit } from "@/lib/billing/write/admit";
import { guardMarkers } from "@/lib/citations/markers";
import type { Citation } from "@/lib/citations/schema";
import { Reply } from "@/lib/http/route";
import { newId } from "@/lib/id";
import { chatModel } from "@/lib/models/dispatch";
import { generatedText } from "@/lib/models/generated-text";
import type { Completion, ModelUsage } from "@/lib/models/schema";
import { countMessageTokens, countTokens } from "@/lib/models/tokens";
import { annotationsOf } from "../annotations";
import { type Grounded, ground } from "../ground";
import { endStatus, Meter, usageWithCost } from "../metering";
import { planChat } from "../plan";
import type { ChatRequest } from "../schema";

/** One completion, whole. Throws the decided errors; a failed request costs nothing. */
export async function chat(ctx: KeyContext, body: ChatRequest): Promise<Reply> {
  const plan = planChat(ctx, body);
  const meter = new Meter(ctx, plan, await admit(ctx, plan.worstCaseMicros, plan));
  let grounded: Grounded | null = null;
  try {
    grounded = await ground(ctx, plan);
    const completion = await chatModel(plan.model).complete(grounded.request, ctx.signal);
    // Made before the charge: what cannot be answered is not paid for.
    const answer = toAnswer(completion, grounded, plan.model.id);
    const usage = completion.usage ?? countUsage(grounded, completion);
    const costUsd = await meter.close({
      status: 200,
      kind: grounded.citations ? "grounded" : "core",
      usage: { prompt: usage.prompt_tokens, completion: usage.completion_tokens },
      grounded,
      isCharged: true,
      firstTokenMs: null,
    });
    return new Reply(
      { ...answer, usage: usageWithCost(usage, costUsd) },
      { "x-footnote-cost-usd": costUsd },
    );
  } catch (thrown) {
    await meter.fail(endStatus(thrown, ctx.signal), grounded);
    throw thrown;
  }
}

type Message = Completion["choices"][number]["message"];

function toAnswer(
  completion: Completion,
  { citations, warnings, isProse }: Grounded,
  model: string,
): Completion {
  return {
    ...completion,
    id: newId("completion"),
    object: "chat.completion",
    model,
    choices: completion.choices.map((choice) => ({
      ...choice,
      message: citations && isProse ? citedMessage(choice.message, citations) : choice.message,
    })),
    ...(citations && { citations }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A message with its markers in one form, and what they stand for. */
function citedMessage(message: Message, citations: readonly Citation[]): Message {
  const { content } = message;
  const { text, markers } = guardMarkers(content ?? "", citations.length);
  return {
    ...message,
    content: typeof content === "string" ? text : content,
    annotations: annotationsOf(text, markers, citations),
  };
}

/** For an upstream that reports no usage. */
function countUsage({ request }: Grounded, { choices }: Completion): ModelUsage {
  const prompt = countMessageTokens(request.messages);
  const completion = choices.reduce(
    (sum, { message }) => sum + countTokens(generatedText(message)),
    0,
  );
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
