import { ConsoleSearch } from "@/lib/library/retrieval/schema";
import { searchKnowledge } from "@/lib/library/retrieval/write";
import { playgroundContext } from "@/lib/money/keys/write/playground";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

/** Charged like an API search, to the console's key. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ConsoleSearch,
  handle: async ({ ctx, body: { preset, ...search } }) =>
    searchKnowledge(await playgroundContext(ctx, preset), search),
});
