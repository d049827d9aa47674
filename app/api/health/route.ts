import { getHealth } from "@/lib/http/health";
import { methodNotAllowed } from "@/lib/http/methods";
import { publicGate, route } from "@/lib/http/route";

export const GET = route({ gate: publicGate, handle: () => getHealth() });

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
