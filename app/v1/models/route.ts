import { apiKey } from "@/lib/auth/api-key";
import { listKeyModels } from "@/lib/chat/models";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: apiKey("chat:completions"),
  handle: async ({ ctx }) => listKeyModels(ctx),
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
