import type { Metadata } from "next";
import { MarkdownDocument } from "@/components/docs/markdown-document";

export const metadata: Metadata = {
  title: "Changelog",
  description: "What changed in Footnote’s API, console and server, day by day.",
};

export default function ChangelogPage() {
  return <MarkdownDocument file="CHANGELOG.md" />;
}
