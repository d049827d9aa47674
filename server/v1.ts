import type { RouteModule } from "./host";

export const ROUTES = import.meta.glob<RouteModule>("../app/{v1,mcp,api/live}/**/route.ts", {
  eager: true,
});
