import { getHealth } from "@/lib/health/read";
import { anyone } from "@/lib/http/anyone";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({ gate: anyone, handle: () => getHealth() });

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
