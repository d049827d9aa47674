import * as z from "zod";
import { anyReader } from "@/components/docs/readable";
import { searchDocs } from "@/components/docs/search-index";
import { DocHits } from "@/components/docs/search-schema";
import { onlyGet } from "@/lib/platform/http/only-method";

/** Open to everyone, as the documentation is; it reads no data of an account. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: anyReader,
  query: z.object({ query: z.string().trim().min(1).max(200).describe("Words to find.") }),
  answer: DocHits,
  handle: async ({ query }) => ({ data: await searchDocs(query.query) }),
});
