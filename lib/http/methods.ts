import { AppError } from "@/lib/errors";
import { publicGate, type RouteHandler, route } from "./route";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Handlers that answer 405 and name the allowed methods. */
export function methodNotAllowed(...allowed: Method[]): Record<Method, RouteHandler> {
  const allow = allowed.join(", ");
  return rejectAll(({ method }) => {
    const message = `This path doesn't support ${method}. Use ${allow}.`;
    return new AppError("method_not_allowed", message, { headers: { allow } });
  });
}

/** Handlers that answer 404 to every method. */
export function notFoundHandler(): Record<Method, RouteHandler> {
  return rejectAll(
    ({ url }) =>
      new AppError(
        "not_found",
        `There is no ${new URL(url).pathname}. Check the path: API paths start with /v1 and have no trailing slash.`,
      ),
  );
}

function rejectAll(toError: (request: Request) => AppError): Record<Method, RouteHandler> {
  const handler = route({
    gate: publicGate,
    handle: async ({ request }) => {
      throw toError(request);
    },
  });
  return { GET: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler };
}
