import type { Metadata } from "next";
import { PageList } from "@/components/docs/page-list";

export const metadata: Metadata = {
  title: "Documentation",
  description: "Get cited answers, check them, and run Footnote yourself.",
  alternates: { canonical: "/docs", types: { "text/markdown": "/llms.txt" } },
};

export default PageList;
