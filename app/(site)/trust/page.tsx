import type { Metadata } from "next";
import { TrustView } from "@/components/site/trust-view";

export const metadata: Metadata = {
  title: "Trust",
  description:
    "How citations are verified, what the check misses, what was measured, and how data is handled.",
};

export default TrustView;
