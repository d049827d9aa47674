import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { Reply } from "@/lib/http/route";
import type { EventStream } from "@/lib/http/sse";
import { usageOf } from "@/lib/models/message-tokens";
import type { Completion, ModelRequest } from "@/lib/models/schema";
import type { ChoiceProcessor } from "../choice-processor";
import { abstainingModel, chatModel } from "../dispatch";
import { type Meter, withMeter } from "../meter";
import { planChat } from "../plan";
import type { ChatRequest } from "../schema";
import { startStream } from "../stream";

/**
 * Creates one completion, plain or streamed. Throws the decided errors; a failed request costs nothing. A stream
 * resolves once the model's first chunk has arrived, so that any failure before it is an HTTP error.
 */
export async function createCompletion(
  ctx: KeyContext,
  body: ChatRequest,
): Promise<Reply | EventStream> {
  const plan = planChat(ctx, body);
  return withMeter(ctx, plan, async (meter, choices) => {
    const { request, isAbstaining } = choices.grounded;
    const model = isAbstaining ? abstainingModel : chatModel(plan.model);
    return plan.isStream
      ? startStream(await model.stream(withUsage(request), ctx.signal), meter, choices)
      : reply(await model.complete(request, ctx.signal), meter, choices);
  });
}

async function reply(
  completion: Completion,
  meter: Meter,
  choices: ChoiceProcessor,
): Promise<Reply> {
  meter.endStage("model");
  const answer = await toAnswer(completion, choices, meter.plan.model.id);
  meter.endStage("verification");
  const { request, retrieved } = choices.grounded;
  const usage = usageOf(completion, request.messages);
  const progress = { kind: retrieved ? "grounded" : "core", usage, firstTokenMs: null } as const;
  const costUsd = await meter.close(progress, () => ({ ...answer, usage }));
  return new Reply(
    { ...answer, usage: choices.usageWithCost(usage, costUsd) },
    { "x-footnote-cost-usd": costUsd },
  );
}

async function toAnswer(
  completion: Completion,
  choices: ChoiceProcessor,
  model: string,
): Promise<Completion> {
  const contents = new Map<number, string>();
  for (const { index, message } of completion.choices) {
    const cited = choices.begin(index);
    if (cited) {
      contents.set(index, (await cited.push(message.content ?? "")) + (await cited.end()));
    }
  }
  const { evidence, citations } = await choices.finish();
  const { id, warnings } = choices;
  return {
    ...completion,
    id,
    object: "chat.completion",
    model,
    choices: completion.choices.map((choice) => ({
      ...choice,
      message: {
        ...choice.message,
        content: choice.message.content && (contents.get(choice.index) ?? choice.message.content),
        ...evidence.get(choice.index),
      },
    })),
    ...(citations && { citations }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Billing needs the usage whether or not the caller asked for it. */
function withUsage(request: ModelRequest): ModelRequest {
  const options = typeof request.stream_options === "object" ? request.stream_options : null;
  return { ...request, stream_options: { ...options, include_usage: true } };
}
