import type { KeyContext } from "@/lib/auth/context";
import { holdWasPlaced, placeHold } from "@/lib/billing/write/place-hold";
import type { ChatModel } from "@/lib/models/schema";
import { searchLimiter } from "@/lib/retrieval/search-limiter";
import { abstainingModel } from "./abstaining-model";
import { ChoiceProcessor } from "./choice-processor";
import { ClaimJudge } from "./claim-judge";
import { chatModel } from "./dispatch";
import { type Grounded, ground } from "./ground";
import { Meter } from "./metering";
import type { Plan } from "./plan";

interface Begun {
  meter: Meter;
  /** The search, where it was begun before the hold. */
  grounding: Promise<Grounded> | null;
}

/**
 * Places the hold, or throws as `admit` does; sooner, retrieval_unavailable, where the request requires a search that
 * would wait too long. Of a key whose last request was admitted the search runs meanwhile; nothing that it finds goes on
 * before the hold stands.
 */
export async function beginMetering(ctx: KeyContext, plan: Plan): Promise<Begun> {
  const startedAt = performance.now();
  if (plan.retrieval?.bounds.required) {
    searchLimiter.shedLoad();
  }
  const grounding = plan.retrieval && holdWasPlaced(ctx) ? ground(ctx, plan) : null;
  // How it fails is told by who waits for it; a request that is refused does not.
  grounding?.catch(() => {});
  const hold = await placeHold(ctx, plan.worstCaseMicros, plan);
  return { meter: new Meter(ctx, plan, { hold, startedAt }), grounding };
}

/** Searches, where the request asks for it, and opens its answers. */
export async function beginAnswering({ meter, grounding }: Begun): Promise<ChoiceProcessor> {
  const { ctx, plan } = meter;
  const grounded = await (grounding ?? ground(ctx, plan));
  if (plan.retrieval) {
    meter.endStage("retrieval");
  }
  const { retrieved } = grounded;
  const judging = retrieved && new ClaimJudge(retrieved.sources, plan.verifier, ctx.signal);
  return new ChoiceProcessor(grounded, judging);
}

/** The model that answers, or what stands in for it where nothing was found and none is to be asked. */
export function modelFor({ model }: Plan, { isAbstaining }: Grounded): ChatModel {
  return isAbstaining ? abstainingModel : chatModel(model);
}
