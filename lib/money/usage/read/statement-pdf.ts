import "server-only";

import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "pdf-lib";
import { formatCount } from "@/lib/format-count";
import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import type { LedgerEntry } from "@/lib/money/billing/schema";
import { KIND_NAMES } from "@/lib/money/usage/filter";
import type { Statement } from "./statement";

/** A4, in points. */
const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 56;
const LINE = 16;
const SIZE = 9.5;
/** Where the details of a row begin, and the least space between its columns. */
const DETAIL_X = 260;
const GAP = 12;
const MUTED = rgb(0.4, 0.38, 0.35);
const RULE = rgb(0.85, 0.83, 0.8);

/** The name of one, and of several together. */
const KINDS: Record<LedgerEntry["kind"], [string, string]> = {
  top_up: ["Top-up", "Top-ups"],
  usage: ["Usage", "Usage"],
  grant: ["Grant", "Grants"],
  refund: ["Refund or dispute", "Refunds and disputes"],
  adjustment: ["Adjustment", "Adjustments"],
};

/** A statement as PDF, on as many pages as it takes. Not a tax invoice: the payment provider makes those. */
export async function renderStatement(statement: Statement): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const fonts = {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  const { account, month, isOpen } = statement;
  const formatAmount = createAmountFormat(statement);
  pdf.setTitle(`Statement ${month}`);
  const paper = new Paper(pdf, fonts);
  paper.text("Footnote", { size: 18, font: "bold" });
  paper.text(`Statement for ${formatMonthName(month)}`, { size: 13, font: "bold" });
  paper.text(`${account.name} (${account.id})`, { isMuted: true });
  paper.text(
    isOpen ? "Month to date, in UTC and US dollars." : "Calendar month, in UTC and US dollars.",
    { isMuted: true },
  );
  paper.heading("Balance");
  paper.row(["Opening balance", "", formatAmount(statement.opening)]);
  for (const { kind, entries, amount } of statement.movements) {
    const name = KINDS[kind][entries === 1 ? 0 : 1];
    paper.row([name, formatCount(entries, "entry", "entries"), formatAmount(amount)]);
  }
  paper.row(
    [isOpen ? "Balance now" : "Closing balance", "", formatAmount(statement.closing)],
    true,
  );
  if (statement.usage.length > 0) {
    paper.heading("Usage by model");
    for (const { kind, model, requests, amount } of statement.usage) {
      const name = [(KIND_NAMES as Record<string, string>)[kind] ?? kind, model]
        .filter(Boolean)
        .join(" · ");
      paper.row([name, formatCount(requests, "request"), formatAmount(amount)]);
    }
  }
  if (statement.payments.length > 0) {
    paper.heading("Payments and credits");
    for (const { at, kind, reference, amount } of statement.payments) {
      const day = at.toISOString().slice(0, 10);
      paper.row([`${day}  ${KINDS[kind][0]}`, reference, formatAmount(amount)]);
    }
  }
  return pdf.save();
}

function formatMonthName(month: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(`${month}-01`));
}

/**
 * Writes amounts such as `–$1,234.50`, all with the places of the longest so that columns align. The standard fonts have a
 * dash, but no minus sign.
 */
function createAmountFormat({ opening, closing, ...lists }: Statement) {
  const listed = [lists.movements, lists.usage, lists.payments].flat();
  const all = [opening, closing, ...listed.map(({ amount }) => amount)];
  const places = Math.max(2, ...all.map((amount) => fractionOf(amount).replace(/0+$/, "").length));
  return (amount: Micros): string => {
    const [whole = "0"] = microsToUsd(amount).replace("-", "").split(".");
    const fraction = fractionOf(amount).slice(0, places);
    return `${amount < 0n ? "–" : ""}$${BigInt(whole).toLocaleString("en-US")}.${fraction}`;
  };
}

/** The six digits after the point. */
function fractionOf(amount: Micros): string {
  return microsToUsd(amount).split(".")[1] ?? "";
}

type Fonts = Record<"regular" | "bold", PDFFont>;

interface TextStyle {
  size?: number;
  font?: keyof Fonts;
  isMuted?: boolean;
}

/** Writes from top to bottom and adds pages. */
class Paper {
  private page: PDFPage;
  private y = HEIGHT - MARGIN;

  constructor(
    private readonly pdf: PDFDocument,
    private readonly fonts: Fonts,
  ) {
    this.page = pdf.addPage([WIDTH, HEIGHT]);
  }

  text(text: string, { size = SIZE, font = "regular", isMuted = false }: TextStyle = {}): void {
    this.next(size + LINE / 2);
    this.draw(text, MARGIN, { size, font, isMuted });
  }

  heading(text: string): void {
    this.next(LINE * 2.2);
    this.draw(text, MARGIN, { size: 11, font: "bold" });
    this.rule();
  }

  /** A name, a detail and an amount at the right edge. */
  row([name, detail, amount]: [string, string, string], isTotal = false): void {
    this.next(LINE);
    const font = isTotal ? "bold" : "regular";
    if (isTotal) {
      this.rule(SIZE + 3);
    }
    const amountX = WIDTH - MARGIN - this.fonts[font].widthOfTextAtSize(amount, SIZE);
    this.draw(this.clip(name, DETAIL_X - MARGIN - GAP, font), MARGIN, { font });
    this.draw(this.clip(detail, amountX - DETAIL_X - GAP), DETAIL_X, { isMuted: true });
    this.draw(amount, amountX, { font });
  }

  /** The text, or its beginning, no wider than this. */
  private clip(text: string, width: number, name: keyof Fonts = "regular"): string {
    const font = this.fonts[name];
    const known = toWinAnsi(text, font);
    const isWider = (part: string) => font.widthOfTextAtSize(part, SIZE) > width;
    let length = known.length;
    while (length > 0 && isWider(length < known.length ? `${known.slice(0, length)}…` : known)) {
      length -= 1;
    }
    return length < known.length ? `${known.slice(0, length)}…` : known;
  }

  private rule(above = -5): void {
    const y = this.y + above;
    const line = { start: { x: MARGIN, y }, end: { x: WIDTH - MARGIN, y } };
    this.page.drawLine({ ...line, thickness: 0.5, color: RULE });
  }

  private next(height: number): void {
    this.y -= height;
    if (this.y < MARGIN) {
      this.page = this.pdf.addPage([WIDTH, HEIGHT]);
      this.y = HEIGHT - MARGIN - height;
    }
  }

  private draw(text: string, x: number, { size = SIZE, font = "regular", isMuted }: TextStyle) {
    this.page.drawText(toWinAnsi(text, this.fonts[font]), {
      ...{ x, y: this.y, size, font: this.fonts[font] },
      ...(isMuted && { color: MUTED }),
    });
  }
}

/** The standard fonts have Western letters only; any other letter would make the whole statement fail. */
function toWinAnsi(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  return [...text].map((char) => (known.has(char.codePointAt(0) ?? 0) ? char : "?")).join("");
}
