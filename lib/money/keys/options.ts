import "server-only";

import { listModels } from "@/lib/models/catalogue";
import type { MemberContext } from "@/lib/platform/auth/context";
import { env } from "@/lib/platform/env";
import type { KeyOptions } from "./schema";

/** What the forms of a key need to know about the server and the member. */
export function keyOptions({ actor }: MemberContext, stores: KeyOptions["stores"]): KeyOptions {
  return {
    models: listModels().map(({ id, isDefault }) => ({ id, isDefault })),
    limits: { requests: env.REQUESTS_PER_MINUTE, tokens: env.TOKENS_PER_MINUTE },
    email: actor.email,
    stores,
  };
}
