import type { RouteModule } from "./host";

export const ROUTES = import.meta.glob<RouteModule>("../app/{v1,mcp}/**/route.ts", {
  eager: true,
});
