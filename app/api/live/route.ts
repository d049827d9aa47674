import { onlyGet } from "@/lib/platform/http/only-method";
import { publicGate } from "@/lib/platform/http/route";

/** For liveness probes: answers as long as the process can, whatever the database, the load and a shutdown do. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: publicGate,
  handle: async () => ({ status: "ok" }),
});
