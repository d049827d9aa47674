import type { RouteModule } from "./routes";

/** The public API's own route files. */
export const ROUTES = import.meta.glob<RouteModule>("../app/v1/**/route.ts", { eager: true });
