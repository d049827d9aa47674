import { apiKey } from "@/lib/auth/api-key";
import { getCredits } from "@/lib/billing/read";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: apiKey("billing:read"),
  handle: ({ ctx }) => getCredits(ctx),
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
