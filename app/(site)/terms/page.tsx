import type { Metadata } from "next";
import { MarkdownDocument } from "@/components/docs/markdown-document";

export const metadata: Metadata = {
  title: "Terms",
  description: "The terms of this Footnote server.",
};

export default function TermsPage() {
  return <MarkdownDocument file="docs/legal/terms.md" />;
}
