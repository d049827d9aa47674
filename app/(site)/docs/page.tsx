import type { Metadata } from "next";
import { DocFrame } from "@/components/docs/doc-frame";
import { PageList } from "@/components/docs/page-list";

export const metadata: Metadata = {
  title: "Documentation",
  description: "Get cited answers, check them, and run Footnote yourself.",
  alternates: { types: { "text/markdown": "/llms.txt" } },
};

export default function DocsPage() {
  return (
    <DocFrame slug={null} headings={[]}>
      <PageList />
    </DocFrame>
  );
}
