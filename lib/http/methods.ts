import { AppError } from "@/lib/errors";
import { publicGate, type RouteHandler, route } from "./route";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

/** Handlers that answer 405 and name the allowed methods. */
export function methodNotAllowed(...allowed: Method[]): Record<Method, RouteHandler> {
  const allow = allowed.join(", ");
  const handler = route({
    gate: publicGate,
    handle: async ({ request }) => {
      throw new AppError(
        "method_not_allowed",
        `This path doesn't support ${request.method}. Use ${allow}.`,
        { headers: { allow } },
      );
    },
  });
  return forAllMethods(handler);
}

/** Handlers that answer 404 to every method. */
export function notFoundHandler(): Record<Method, RouteHandler> {
  const handler = route({
    gate: publicGate,
    handle: async ({ request }) => {
      throw new AppError(
        "not_found",
        `There is no ${new URL(request.url).pathname}. Check the path: API paths start with /v1 and have no trailing slash.`,
      );
    },
  });
  return forAllMethods(handler);
}

function forAllMethods(handler: RouteHandler): Record<Method, RouteHandler> {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<
    Method,
    RouteHandler
  >;
}
