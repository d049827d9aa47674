import type { Metadata } from "next";
import { MarkdownDocument } from "@/components/docs/markdown-document";

export const metadata: Metadata = {
  title: "Changelog",
  description: "What changed in Footnote, release by release.",
};

export default function ChangelogPage() {
  return <MarkdownDocument file="CHANGELOG.md" />;
}
