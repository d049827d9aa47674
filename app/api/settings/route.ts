import { getSettings } from "@/lib/auth/read";
import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({ gate: session(), handle: ({ ctx }) => getSettings(ctx) });

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
