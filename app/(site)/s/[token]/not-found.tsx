import type { Metadata } from "next";
import { MissingLink } from "@/components/sharing/missing-link";

export const metadata: Metadata = { title: "This link no longer works" };

export default MissingLink;
