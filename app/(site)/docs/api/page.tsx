import type { Metadata } from "next";
import { ApiOverview } from "@/components/docs/api/api-overview";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every Footnote API endpoint, with its scope, parameters and schemas.",
};

export default ApiOverview;
