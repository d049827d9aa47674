import type { Metadata } from "next";
import { Changelog } from "@/components/docs/changelog";

export const metadata: Metadata = {
  title: "Changelog",
  description: "What changed in Footnote’s API, console and server, day by day.",
};

export default function ChangelogPage() {
  return <Changelog />;
}
