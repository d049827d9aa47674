import { getHealth } from "@/lib/http/health";
import { onlyGet } from "@/lib/http/only-method";
import { publicGate } from "@/lib/http/route";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: publicGate,
  handle: () => getHealth(),
});
