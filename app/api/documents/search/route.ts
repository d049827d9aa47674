import { ConsoleSearch } from "@/lib/library/retrieval/schema";
import { searchKnowledge } from "@/lib/library/retrieval/write";
import { playgroundContext } from "@/lib/money/keys/write/playground";
import { memberPost } from "@/lib/platform/auth/member-route";

/** Charged like an API search, to the console's key. */
export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: ConsoleSearch,
  handle: async ({ ctx, body: { preset, ...search } }) =>
    searchKnowledge(await playgroundContext(ctx, preset), search),
});
