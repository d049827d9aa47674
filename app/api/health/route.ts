import { readVectorState } from "@/lib/library/retrieval/read/vector-state";
import { checkDatabase, getHealth } from "@/lib/platform/http/health";
import { onlyGet } from "@/lib/platform/http/only-method";
import { publicGate } from "@/lib/platform/http/route";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: publicGate,
  handle: () => getHealth(checkDatabase, readVectorState),
});
