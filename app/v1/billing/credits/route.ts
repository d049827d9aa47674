import { apiKey } from "@/lib/auth/api-key";
import { getCredits } from "@/lib/billing/read/balance";
import { Credits } from "@/lib/billing/schema";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  summary: "Get the balance: total, held and available.",
  gate: apiKey("billing:read"),
  answer: Credits,
  handle: ({ ctx }) => getCredits(ctx),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
