import type * as z from "zod";
import { onlyMethod } from "@/lib/platform/http/only-method";
import { type RouteSpec, route } from "@/lib/platform/http/route";
import { apiKey } from "./api-key";
import type { KeyContext } from "./context";
import type { Scope } from "./schema";

type Shape = z.ZodType | undefined;

/** `route()` for an endpoint of /v1: its gate is `apiKey()`, with one scope or any of several. */
export function keyRoute<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(scope: Scope | [Scope, ...Scope[]], spec: Omit<RouteSpec<KeyContext, P, Q, B>, "gate">) {
  const scopes: [Scope, ...Scope[]] = typeof scope === "string" ? [scope] : scope;
  return route({ ...spec, gate: apiKey(...scopes) });
}

export const keyGet = onlyMethod("GET", keyRoute);
export const keyPost = onlyMethod("POST", keyRoute);
