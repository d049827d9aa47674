import { AppError, notFound } from "@/lib/errors";
import { anyOf } from "./plain-issues";
import { type Gate, publicGate, type RouteHandler, route } from "./route";
import { adviceOn } from "./unknown-path";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Handlers that answer 405 and name the methods that a path has. */
export function methodNotAllowed(
  allowed: Partial<Record<Method, RouteHandler>>,
): Record<Method, RouteHandler> {
  const allow = Object.keys(allowed).join(", ");
  const gates = Object.values(allowed).map(({ facts }) => facts.gate.nameCaller);
  return rejectAll(({ method }) => {
    const message = `This path doesn't support ${method}. Use ${anyOf(Object.keys(allowed))}.`;
    return new AppError("method_not_allowed", message, { headers: { allow } });
  }, gates.find(Boolean));
}

/** Handlers that answer 404 to every method. */
export function notFoundHandler(gate: Gate<undefined> = publicGate): Record<Method, RouteHandler> {
  return rejectAll(({ url }) => {
    const { pathname } = new URL(url);
    return notFound(`There is no ${pathname}. ${adviceOn(pathname)}`);
  }, gate);
}

function rejectAll(
  toError: (request: Request) => AppError,
  gate: Gate<undefined> = publicGate,
): Record<Method, RouteHandler> {
  const handler = route({
    rejects: true,
    gate,
    handle: async ({ request }) => {
      throw toError(request);
    },
  });
  return { GET: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler };
}
