import type * as z from "zod";
import { onlyMethod } from "@/lib/platform/http/only-method";
import { type RouteSpec, route } from "@/lib/platform/http/route";
import type { MemberContext } from "./context";
import { session } from "./session-gate";

type Shape = z.ZodType | undefined;

/** `route()` for an endpoint of the console: its gate is `session()`. */
export function memberRoute<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(spec: Omit<RouteSpec<MemberContext, P, Q, B>, "gate">) {
  return route({ ...spec, gate: session() });
}

export const memberGet = onlyMethod("GET", memberRoute);
export const memberPost = onlyMethod("POST", memberRoute);
export const memberDelete = onlyMethod("DELETE", memberRoute);
