import type { Metadata } from "next";
import { MissingPage } from "@/components/shell/missing-page";
import { SiteFrame } from "@/components/shell/site-frame";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <SiteFrame>
      <MissingPage />
    </SiteFrame>
  );
}
