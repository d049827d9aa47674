import type { Metadata } from "next";
import { MarkdownDocument } from "@/components/docs/markdown-document";

export const metadata: Metadata = {
  title: "Privacy",
  description: "What this Footnote server stores, for how long, and who receives it.",
};

export default function PrivacyPage() {
  return <MarkdownDocument file="docs/legal/privacy.md" />;
}
