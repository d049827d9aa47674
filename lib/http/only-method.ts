import { methodNotAllowed } from "./methods";
import { type RouteHandler, route } from "./route";

/** `route()` for the only method of a path; the other methods answer 405. */
export const onlyGet = onlyMethod("GET", route);
export const onlyPost = onlyMethod("POST", route);
export const onlyDelete = onlyMethod("DELETE", route);

/** `make` is a parameter so that its type parameters carry over. */
function onlyMethod<A extends unknown[]>(
  method: Parameters<typeof methodNotAllowed>[number],
  make: (...args: A) => RouteHandler,
) {
  return (...args: A) => ({ ...methodNotAllowed(method), [method]: make(...args) });
}
