import type { Metadata } from "next";
import { SiteFrame } from "@/components/shell/site-frame";

/** Relative to each page, so that links with a query or another host lead to one address. */
export const metadata: Metadata = { alternates: { canonical: "./" } };

export default SiteFrame;
