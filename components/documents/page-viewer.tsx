"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { LoadingStatus } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import type { QuoteBox } from "@/lib/library/documents/page-schema";

/** In pixels: sharp at twice the width of the column. */
const IMAGE_WIDTH = 1200;

interface PageViewerProps {
  documentId: string;
  pages: number;
  /** The page to open. */
  start: number;
  /** Where the quoted words are. */
  boxes: readonly QuoteBox[];
}

/** The pages of a PDF as they look, with the quoted words marked. */
export function PageViewer({ documentId, pages, start, boxes }: PageViewerProps) {
  const [page, setPage] = useState(Math.min(pages, Math.max(1, start)));
  const turn = (by: number) => setPage((now) => Math.min(pages, Math.max(1, now + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      event.preventDefault();
      turn(by);
    }
  };
  const own = boxes.filter((box) => box.page === page);
  return (
    <section aria-labelledby="page" className="grid gap-3 rounded-lg border bg-surface p-4">
      <header className="flex items-center justify-between gap-3">
        <h2 id="page" aria-live="polite" className="font-medium text-base tabular-nums">
          Page {page} of {pages}
          {own.length > 0 && <span className="sr-only">, with the quote marked</span>}
        </h2>
        <div role="toolbar" aria-label="Pages" className="flex gap-1" onKeyDown={onKeyDown}>
          <Button
            size="icon"
            aria-label="Previous page"
            aria-disabled={page === 1 || undefined}
            onClick={() => turn(-1)}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <Button
            size="icon"
            aria-label="Next page"
            aria-disabled={page === pages || undefined}
            onClick={() => turn(1)}
          >
            <ChevronRight aria-hidden />
          </Button>
        </div>
      </header>
      <PageImage
        key={page}
        url={`/api/documents/${encodeURIComponent(documentId)}/pages/${page}.png?width=${IMAGE_WIDTH}`}
        label={`Page ${page} as it looks in the file`}
        boxes={own}
      />
    </section>
  );
}

interface PageImageProps {
  url: string;
  label: string;
  boxes: readonly QuoteBox[];
}

function PageImage({ url, label, boxes }: PageImageProps) {
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It may have loaded before React took over the page.
    const { complete = false, naturalWidth = 0 } = image.current ?? {};
    if (complete) {
      setState(naturalWidth > 0 ? "shown" : "failed");
    }
  }, []);
  if (state === "failed") {
    return (
      <div role="alert" className="grid justify-items-start gap-2 rounded-md bg-sunken p-4">
        <p>Couldn’t load this page.</p>
        <Button onClick={() => setState("loading")}>Try again</Button>
      </div>
    );
  }
  const isShown = state === "shown";
  return (
    <div
      aria-busy={!isShown}
      className={cn(
        // In print, a taller image would move to the next sheet and leave an empty frame here.
        "relative overflow-hidden rounded-md border bg-paper print:mx-auto print:w-fit",
        !isShown && "aspect-[1/1.414] animate-pulse bg-sunken",
      )}
    >
      {!isShown && <LoadingStatus label="Loading page" />}
      {/* biome-ignore lint/performance/noImgElement: Next.js can't resize an image that needs a session. */}
      <img
        ref={image}
        src={url}
        alt={label}
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
        className={cn("block w-full print:max-h-[210mm] print:w-auto", !isShown && "opacity-0")}
      />
      {isShown &&
        boxes.map((box) => (
          <mark
            key={`${box.x0} ${box.y0}`}
            aria-hidden
            className="absolute rounded-[2px] bg-marker/60 mix-blend-multiply"
            style={{
              left: `${box.x0 * 100}%`,
              top: `${box.y0 * 100}%`,
              width: `${(box.x1 - box.x0) * 100}%`,
              height: `${(box.y1 - box.y0) * 100}%`,
            }}
          />
        ))}
    </div>
  );
}
