import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { env } from "@/lib/env";
import { listModels } from "@/lib/models/catalogue";
import type { KeyOptions } from "./schema";

/** What the forms of a key need to know about the server and the member. */
export function keyOptions({ actor }: MemberContext): KeyOptions {
  return {
    models: listModels().map(({ id, isDefault }) => ({ id, isDefault })),
    limits: { requests: env.REQUESTS_PER_MINUTE, tokens: env.TOKENS_PER_MINUTE },
    email: actor.email,
  };
}
