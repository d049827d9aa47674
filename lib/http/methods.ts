import { AppError } from "@/lib/errors";
import { publicGate, type RouteHandler, route } from "./route";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

/** Handlers for the methods a path does not have: 405 in the error shape, naming those it has. */
export function methodNotAllowed(...allowed: Method[]): Record<Method, RouteHandler> {
  const allow = allowed.join(", ");
  const refuse = route({
    gate: publicGate,
    handle: async ({ request }) => {
      throw new AppError(
        "method_not_allowed",
        `This path does not answer ${request.method}. Use ${allow}.`,
        { headers: { allow } },
      );
    },
  });
  return toEvery(refuse);
}

/** Handlers that answer 404 to every method. */
export function notFoundHandler(): Record<Method, RouteHandler> {
  const refuse = route({
    gate: publicGate,
    handle: async ({ request }) => {
      throw new AppError(
        "not_found",
        `There is no ${new URL(request.url).pathname}. Check the path: the API's paths begin with /v1 and have no slash at the end.`,
      );
    },
  });
  return toEvery(refuse);
}

function toEvery(handler: RouteHandler): Record<Method, RouteHandler> {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<
    Method,
    RouteHandler
  >;
}
