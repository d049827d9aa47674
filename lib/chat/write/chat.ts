import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { admit } from "@/lib/billing/write";
import { toAppError } from "@/lib/http/error-response";
import { Reply } from "@/lib/http/route";
import { newId } from "@/lib/id";
import { chatModel } from "@/lib/models/dispatch";
import type { Completion, ModelUsage } from "@/lib/models/schema";
import { countMessageTokens, countTokens } from "@/lib/models/tokens";
import { annotationsOf } from "../annotations";
import { type Grounded, ground } from "../ground";
import { Meter, usageWithCost } from "../metering";
import { planChat } from "../plan";
import type { ChatRequest } from "../schema";

/** One completion, whole. Throws the decided errors; a failed request costs nothing. */
export async function chat(ctx: KeyContext, body: ChatRequest): Promise<Reply> {
  const plan = planChat(ctx, body);
  const meter = new Meter(ctx, plan, await admit(ctx, plan.worstCaseMicros));
  let grounded: Grounded | null = null;
  try {
    grounded = await ground(ctx, plan);
    const completion = await chatModel(plan.model).complete(grounded.request, ctx.signal);
    const usage = completion.usage ?? countUsage(grounded, completion);
    const costUsd = await meter.close({
      status: 200,
      kind: grounded.citations ? "grounded" : "core",
      usage: { prompt: usage.prompt_tokens, completion: usage.completion_tokens },
      grounded,
      isCharged: true,
      firstTokenMs: null,
    });
    const answer = toAnswer(completion, grounded, {
      model: plan.model.id,
      usage: usageWithCost(usage, costUsd),
    });
    return new Reply(answer, { "x-footnote-cost-usd": costUsd });
  } catch (thrown) {
    await meter.fail(toAppError(thrown).status, grounded);
    throw thrown;
  }
}

function toAnswer(
  completion: Completion,
  { citations, warnings }: Grounded,
  { model, usage }: { model: string; usage: ModelUsage },
): Completion {
  return {
    ...completion,
    id: newId("completion"),
    object: "chat.completion",
    model,
    choices: completion.choices.map((choice) => ({
      ...choice,
      message: {
        ...choice.message,
        ...(citations && { annotations: annotationsOf(choice.message.content ?? "", citations) }),
      },
    })),
    usage,
    ...(citations && { citations }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** For an upstream that reports no usage. */
function countUsage({ request }: Grounded, { choices }: Completion): ModelUsage {
  const prompt = countMessageTokens(request.messages);
  const completion = choices.reduce(
    (sum, { message: { role: _role, content, ...rest } }) =>
      sum +
      countTokens(content ?? "") +
      (rest.tool_calls ? countTokens(JSON.stringify(rest.tool_calls)) : 0),
    0,
  );
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
