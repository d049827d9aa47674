import type { MetadataRoute } from "next";
import { addressOf, DOC_GROUPS } from "@/components/docs/pages";
import { env } from "@/lib/env";

// The address is that of the running process, not of the build.
export const dynamic = "force-dynamic";

/** The pages that anyone may read. */
// biome-ignore lint/style/noDefaultExport: the form that Next.js asks for.
export default function sitemap(): MetadataRoute.Sitemap {
  const docs = DOC_GROUPS.flatMap(({ pages }) => pages.map(addressOf));
  return ["/", "/pricing", "/docs", ...docs].map((path) => ({
    url: new URL(path, env.APP_URL).href,
  }));
}
