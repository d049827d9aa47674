import type { Metadata } from "next";
import { ApiReference } from "@/components/docs/api/api-reference";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every Footnote API endpoint, with its scope, parameters and schemas.",
};

export default ApiReference;
