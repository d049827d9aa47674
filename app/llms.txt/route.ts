import { anyReader, readable } from "@/components/docs/readable";
import { llmsIndex } from "@/components/docs/summaries";
import { env } from "@/lib/env";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: anyReader,
  handle: async () => readable(await llmsIndex(new URL(env.APP_URL).origin), "text/plain"),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
