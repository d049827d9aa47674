import { MissingView } from "@/components/shell/missing-page";

/** Shown for a link that was revoked, has expired or never existed, which look alike on purpose. */
export function MissingLink() {
  return (
    <MissingView
      title="This link has ended."
      text="It was revoked, has expired, or isn’t complete. Ask the person who sent it for a new one."
    />
  );
}
