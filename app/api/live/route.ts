import { onlyGet } from "@/lib/http/only-method";
import { publicGate } from "@/lib/http/route";

/** For liveness probes: answers as long as the process can, whatever the database, the load and a shutdown do. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: publicGate,
  handle: async () => ({ status: "ok" }),
});
