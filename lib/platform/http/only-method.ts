import { methodNotAllowed } from "./methods";
import { type RouteHandler, route } from "./route";

/** `route()` for the only method of a path; the other methods answer 405. */
export const onlyGet = onlyMethod("GET", route);
export const onlyPost = onlyMethod("POST", route);

/** `make` is a parameter so that its type parameters carry over. */
export function onlyMethod<A extends unknown[]>(
  method: keyof Parameters<typeof methodNotAllowed>[0],
  make: (...args: A) => RouteHandler,
) {
  return (...args: A) => {
    const only = { [method]: make(...args) };
    return { ...methodNotAllowed(only), ...only };
  };
}
