import "server-only";

import { abstainingModel } from "@/lib/answers/builtin/model";
import { toUsage } from "@/lib/models/message-tokens";
import { SentCalls } from "@/lib/models/sent-call";
import { microsToUsd } from "@/lib/money/billing/money";
import type { KeyContext } from "@/lib/platform/auth/context";
import { ChoiceProcessor } from "../choice-processor";
import { ClaimJudge } from "../claim-judge";
import { chatModel } from "../dispatch";
import { fieldNamesFor, ground, type Retrieved } from "../ground";
import { warningsOfModel } from "../left-out";
import { planChat } from "../plan";
import { priceOf } from "../price";
import { ChatCompletion, type ChatRequest } from "../schema";
import { toAnswer } from "./complete";

/**
 * A plain completion as `createCompletion` answers it, for operators: no hold, charge, usage record or stored answer.
 * `usage.cost_usd` is what an account would pay. Throws as `planChat`, `ground` and the model do.
 */
export async function completeUnmetered(ctx: KeyContext, body: ChatRequest) {
  const plan = await planChat(ctx, { ...body, stream: false, store: false });
  const grounded = await ground(ctx, plan);
  const { request, retrieved, isAbstaining } = grounded;
  const judge = retrieved && new ClaimJudge(retrieved.sources, plan, ctx.signal);
  const calls = new SentCalls();
  const answering = () => calls.current?.model ?? plan.model;
  const choices = new ChoiceProcessor(grounded, judge, {
    rewrite: plan.rewrite,
    rounds: plan.rounds,
    ignored: () => warningsOfModel(plan, answering()),
  });
  const model = isAbstaining
    ? abstainingModel
    : chatModel(plan.models, {
        fields: fieldNamesFor(plan, grounded),
        calls,
        most: plan.bound,
        sources: retrieved?.promptSources ?? null,
        searched: retrieved?.searched ?? null,
        ignoresUnsupported: plan.ignoresUnsupported,
      });
  const completion = await model.complete(request, ctx.signal);
  const answer = await toAnswer(completion, choices, answering().id);
  await calls.close();
  const usage = calls.current?.usage ?? toUsage(0, 0);
  const kind = retrieved ? "grounded" : "core";
  const { cost } = priceOf(answering().rates, kind, {
    answer: calls.bill(),
    rewrite: plan.rewrite?.calls.bill(),
    search: plan.rounds?.calls.bill(),
    verification: choices.verified?.calls.bill(),
  });
  return {
    completion: ChatCompletion.parse({
      ...answer,
      usage: choices.usageWithCost(usage, microsToUsd(cost)),
    }),
    /** The first is citation 1. */
    passages: retrieved?.passages ?? [],
  };
}

/** What such a completion would get to answer from, without asking a model; null without `citations`. */
export async function searchUnmetered(
  ctx: KeyContext,
  body: ChatRequest,
): Promise<Pick<Retrieved, "passages" | "retrieval"> | null> {
  return (await ground(ctx, await planChat(ctx, body))).retrieved;
}
