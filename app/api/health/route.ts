import { getHealth } from "@/lib/http/health";
import { otherMethods } from "@/lib/http/methods";
import { anyone } from "@/lib/http/public-gate";
import { route } from "@/lib/http/route";

export const GET = route({ gate: anyone, handle: () => getHealth() });

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
