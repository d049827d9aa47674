import { chatModel } from "@/lib/models/dispatch";
import type { ChatModel } from "@/lib/models/schema";
import { abstainingModel } from "./abstaining-model";
import { Answering } from "./answering";
import { type Grounded, ground } from "./ground";
import { Judging } from "./judging";
import type { Meter } from "./metering";
import type { Plan } from "./plan";

/** Searches, where the request asks for it, and opens its answers. */
export async function beginAnswering(meter: Meter): Promise<Answering> {
  const { ctx, plan } = meter;
  const grounded = await ground(ctx, plan);
  if (plan.retrieval) {
    meter.endStage("retrieval");
  }
  const { retrieved } = grounded;
  const judging = retrieved && new Judging(retrieved.sources, plan.verifier, ctx.signal);
  return new Answering(grounded, judging);
}

/** The model that answers, or what stands in for it where nothing was found and none is to be asked. */
export function modelFor({ model }: Plan, { isAbstaining }: Grounded): ChatModel {
  return isAbstaining ? abstainingModel : chatModel(model);
}
