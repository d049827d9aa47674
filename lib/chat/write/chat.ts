import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { generatedText } from "@/lib/chat/generated-text";
import { Reply } from "@/lib/http/route";
import { countMessageTokens } from "@/lib/models/message-tokens";
import type { Completion, ModelUsage } from "@/lib/models/schema";
import { countTokens } from "@/lib/text/tokens";
import type { ChoiceProcessor } from "../choice-processor";
import type { Grounded } from "../ground";
import { usageWithCost } from "../metering";
import { planChat } from "../plan";
import { beginAnswering, beginMetering, modelFor } from "../reserve-and-search";
import type { ChatRequest } from "../schema";
import { storeAnswer } from "./store-answer";

/** One completion, whole. Throws the decided errors; a failed request costs nothing. */
export async function chat(ctx: KeyContext, body: ChatRequest): Promise<Reply> {
  const plan = planChat(ctx, body);
  const begun = await beginMetering(ctx, plan);
  const { meter } = begun;
  let answering: ChoiceProcessor | null = null;
  try {
    answering = await beginAnswering(begun);
    const { grounded } = answering;
    const completion = await modelFor(plan, grounded).complete(grounded.request, ctx.signal);
    meter.endStage("model");
    // Made before the charge: what cannot be answered is not paid for.
    const answer = await toAnswer(completion, answering, plan.model.id);
    meter.endStage("verification");
    const usage = completion.usage ?? countUsage(grounded, completion);
    await storeAnswer(meter, { body, answering, answer: () => ({ ...answer, usage }) });
    const costUsd = await meter.close({
      status: 200,
      kind: grounded.retrieved ? "grounded" : "core",
      usage: { prompt: usage.prompt_tokens, completion: usage.completion_tokens },
      answering,
      isCharged: true,
      firstTokenMs: null,
    });
    return new Reply(
      { ...answer, usage: usageWithCost(usage, costUsd, answering) },
      { "x-footnote-cost-usd": costUsd },
    );
  } catch (thrown) {
    await meter.fail(thrown, answering);
    throw thrown;
  }
}

async function toAnswer(
  completion: Completion,
  answering: ChoiceProcessor,
  model: string,
): Promise<Completion> {
  const contents = new Map<number, string>();
  for (const { index, message } of completion.choices) {
    const cited = answering.begin(index);
    if (cited) {
      contents.set(index, (await cited.push(message.content ?? "")) + (await cited.end()));
    }
  }
  const { evidence, citations } = await answering.finish();
  const { warnings } = answering;
  return {
    ...completion,
    id: answering.id,
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
