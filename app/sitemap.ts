import type { MetadataRoute } from "next";
import { docAddresses } from "@/components/docs/tree";
import { env } from "@/lib/platform/env";

// The address is set at run time, not at build time.
export const dynamic = "force-dynamic";

// biome-ignore lint/style/noDefaultExport: Next.js requires a default export.
export default function sitemap(): MetadataRoute.Sitemap {
  const docs = docAddresses();
  return ["/", "/pricing", "/trust", "/changelog", "/docs", ...docs].map((path) => ({
    url: new URL(path, env.APP_URL).href,
  }));
}
