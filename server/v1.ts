import type { RouteModule } from "./host";

export const ROUTES = import.meta.glob<RouteModule>("../app/v1/**/route.ts", { eager: true });
