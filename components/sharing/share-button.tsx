"use client";

import { Share2 } from "lucide-react";
import { lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import type { LinkTarget } from "@/lib/answers/sharing/client";

// Loaded when first opened.
const ShareDialog = lazy(async () => ({ default: (await import("./share-dialog")).ShareDialog }));

const SHOWS = {
  answer:
    "Anyone with the link can read the last question, this answer, its verdicts and its source passages, without signing in.",
  quote:
    "Anyone with the link can read this quote and the document’s title, without signing in. The rest of the document stays private.",
};

/** Opens the links of an answer or a quote. */
export function ShareButton({ target, size = "md" }: { target: LinkTarget; size?: "sm" | "md" }) {
  const { open, show, handlers } = useDialog<"share">();
  return (
    <>
      <Button size={size} onClick={() => show("share")}>
        <Share2 aria-hidden />
        Share…
      </Button>
      <Suspense>
        {open && (
          <ShareDialog
            target={target}
            shows={"request_id" in target ? SHOWS.answer : SHOWS.quote}
            {...handlers}
          />
        )}
      </Suspense>
    </>
  );
}
