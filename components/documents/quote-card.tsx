import { Readable } from "node:stream";
import { ImageResponse } from "next/og";
import { AppError } from "@/lib/errors";
import type { PublicDocumentView } from "@/lib/library/documents/read/public";
import { Download } from "@/lib/platform/http/download";
import { CARD_SIZE, cardWords } from "./source-description";

/** Beyond it, the words are set smaller. */
const SHORT_LENGTH = 120;
const COLORS = {
  paper: "#faf9f5",
  ink: "#18181d",
  muted: "#5c5b57",
  mark: "#fbedc3",
  accent: "#2346c4",
};
/** The quoted words on a card, as their link is shown where it is shared. Throws not_found. */
export async function drawQuoteCard({ document, quote }: PublicDocumentView): Promise<Download> {
  const words = cardWords(quote?.text);
  if (!words) {
    throw new AppError("not_found", "There is no such quote, or it can't be drawn.");
  }
  const title = cardWords(document.title) ?? "";
  const image = new ImageResponse(<QuoteCard words={words} title={title} />, CARD_SIZE);
  const png = Buffer.from(await image.arrayBuffer());
  return new Download(Readable.from([png]), {
    mediaType: "image/png",
    headers: { "cache-control": "public, max-age=3600", "content-length": String(png.byteLength) },
  });
}

function QuoteCard({ words, title }: { words: string; title: string }) {
  return (
    <div
      style={{
        ...{ display: "flex", flexDirection: "column", justifyContent: "space-between" },
        ...{ width: "100%", height: "100%", padding: "64px 72px" },
        ...{ background: COLORS.paper, color: COLORS.ink },
      }}
    >
      <div style={{ display: "flex", fontSize: 34 }}>
        Footnote
        <span style={{ color: COLORS.accent, fontSize: 22, marginLeft: 4 }}>[1]</span>
      </div>
      <div
        style={{
          ...{ display: "flex", background: COLORS.mark, padding: "18px 26px" },
          ...{ borderLeft: `8px solid ${COLORS.accent}`, lineHeight: 1.3 },
          fontSize: words.length > SHORT_LENGTH ? 40 : 52,
        }}
      >
        “{words}”
      </div>
      <div style={{ display: "flex", fontSize: 30, color: COLORS.muted }}>{title}</div>
    </div>
  );
}
