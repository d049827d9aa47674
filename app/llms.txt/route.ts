import { anyReader, readable } from "@/components/docs/readable";
import { llmsIndex } from "@/components/docs/summaries";
import { env } from "@/lib/platform/env";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: anyReader,
  handle: async () => readable(await llmsIndex(new URL(env.APP_URL).origin), "text/plain"),
});
