import { session } from "@/lib/auth/session-gate";
import { onlyPost } from "@/lib/http/only-method";
import { playgroundContext } from "@/lib/keys/write/playground";
import { ConsoleSearch } from "@/lib/retrieval/schema";
import { searchKnowledge } from "@/lib/retrieval/write";

/** Charged like an API search, to the console's key. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ConsoleSearch,
  handle: async ({ ctx, body: { preset, ...search } }) =>
    searchKnowledge(await playgroundContext(ctx, preset), search),
});
