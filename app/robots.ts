import type { MetadataRoute } from "next";
import { env } from "@/lib/platform/env";

// The address is set at run time, not at build time.
export const dynamic = "force-dynamic";

/** Crawlers may index the public pages, but not the API. */
// biome-ignore lint/style/noDefaultExport: Next.js requires a default export.
export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/api/", "/v1/"] },
    sitemap: new URL("/sitemap.xml", env.APP_URL).href,
  };
}
