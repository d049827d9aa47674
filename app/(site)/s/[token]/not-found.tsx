import type { Metadata } from "next";
import { MissingView } from "@/components/shell/missing-page";

export const metadata: Metadata = { title: "This link no longer works" };

/** Shown for a link that was revoked, has expired or never existed, which look alike on purpose. */
export default function MissingLink() {
  return (
    <MissingView
      title="This link no longer works."
      text="It was revoked, has expired, or is incomplete. Ask the person who sent it for a new one."
    />
  );
}
