import type { MetadataRoute } from "next";
import { env } from "@/lib/env";

// The address is that of the running process, not of the build.
export const dynamic = "force-dynamic";

/** Programs that index may read the public pages; the API has nothing for them. */
// biome-ignore lint/style/noDefaultExport: the form that Next.js asks for.
export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", allow: "/", disallow: ["/api/", "/v1/"] },
    sitemap: new URL("/sitemap.xml", env.APP_URL).href,
  };
}
