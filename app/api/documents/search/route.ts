import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { playgroundContext } from "@/lib/keys/write/playground";
import { ConsoleSearch } from "@/lib/retrieval/schema";
import { searchKnowledge } from "@/lib/retrieval/write";

/** Charged like an API search, to the console's key. */
export const POST = route({
  gate: session(),
  body: ConsoleSearch,
  handle: async ({ ctx, body: { preset, ...search } }) =>
    searchKnowledge(await playgroundContext(ctx, preset), search),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
