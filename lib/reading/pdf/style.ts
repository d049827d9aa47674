import { type OpenPdf, SCRATCH_BYTES } from "./engine";
import { median, type PageBox, type Turn } from "./geometry";
import { floats } from "./matrix";
import { type Drawing, fillColor } from "./paths";

/** How a run of characters looks. */
export interface Style {
  size: number;
  turn: Turn;
  /** The rest of its angle, in radians, counterclockwise; absent for upright text. */
  slope?: number;
  isBold: boolean;
  /** Whether all characters of its font are as wide. */
  isMono?: boolean;
  /** White, tiny, transparent, or drawn without ink. */
  isHidden: boolean;
  /** When it is painted, and whether on a layer that is switched off. */
  order?: number;
  isOff?: boolean;
}

const BOLD_NAME = /bold|black|heavy|demi|medi(?!um)|[-,.]b[di]?$/i;
/** TeX's fonts: Computer Modern and its copies for other encodings, such as CMSSBX10, ECBX1000 and SFBX1000. */
const BOLD_TEX_NAME = /(?:^|\+)(?:cm(?:ss)?bx|(?:ec|sf)(?:b[ilx]|rb|sx|xc))/i;
const FORCE_BOLD = 1 << 18;
const MONO_NAME = /mono|courier|consola|typewriter|menlo|(?:^|\+)(?:cm|ec|sf)(?:tt|vtt)/i;
const FIXED_PITCH = 1;
const QUARTER = Math.PI / 2;
/** In radians: text whose angle differs less from the page's is part of it. A smaller skew of the page does no harm. */
const SAME_ANGLE = 0.03;
const LEAST_SKEW = 0.004;
const SKEW_SAMPLES = 200;
const INVISIBLE = 3;
const WHITE = 250;
/** Smaller text is invisible. */
export const SMALLEST_POINTS = 1;

type FontStyle = Pick<Style, "isBold" | "isMono">;
const PLAIN: FontStyle = { isBold: false, isMono: false };

/** Reads the styles of a page's characters, once per text object and font. */
export class StyleReader {
  readonly #pdf: OpenPdf;
  readonly #drawing: Drawing;
  readonly #fonts = new Map<number, FontStyle>();
  /** The text objects that have characters. */
  readonly seen = new Set<number>();
  /** Those of them that are drawn without ink. */
  readonly unseen = new Set<number>();
  #orders: Map<number, number> | null = null;
  readonly #skew: number;
  #object = -1;
  #style: Style | null = null;

  /** `skew`: the angle in radians by which most text of the page is off the nearest quarter turn. */
  constructor(pdf: OpenPdf, drawing: Drawing, skew = 0) {
    this.#pdf = pdf;
    this.#drawing = drawing;
    this.#skew = skew;
  }

  /** The style of the character at an index of the page's text, whose box is `box`. */
  read(text: number, at: number, box: PageBox): Style {
    const object = this.#pdf.api.FPDFText_GetTextObject(text, at);
    if (this.#style === null || object !== this.#object) {
      this.#style = this.#readStyle(text, at, { object, box });
      this.#object = object;
      this.seen.add(object);
    }
    return this.#style;
  }

  #readStyle(text: number, at: number, { object, box }: { object: number; box: PageBox }): Style {
    const { api, scratch } = this.#pdf;
    const hasMatrix = api.FPDFText_GetMatrix(text, at, scratch) !== 0;
    const [a = 1, b = 0, c = 0, d = 1] = hasMatrix ? floats(this.#pdf, 4) : [];
    const points = api.FPDFText_GetFontSize(text, at);
    const size = Math.abs(points) * Math.hypot(c, d);
    // A negative size turns letters around, unless their matrix mirrors them.
    const isTurned = points < 0 && a * d - b * c > 0;
    const { turn, slope } = this.#angleOf(isTurned ? [-b, -a] : [b, a]);
    return {
      size,
      turn,
      ...(slope !== 0 && { slope }),
      ...(this.#drawing.switchedOff.has(object) && { isOff: true }),
      ...(this.#drawing.covers.length > 0 && { order: this.#orderOf(object) }),
      ...(object === 0 ? PLAIN : this.#fontStyle(object)),
      isHidden: size <= SMALLEST_POINTS || (object !== 0 && this.isInvisible(object, box)),
    };
  }

  /** Angles near the page's own are the same: each line of a scan has a slightly different one. */
  #angleOf([y, x]: readonly [number, number]): { turn: Turn; slope: number } {
    const angle = Math.atan2(y, x) - this.#skew;
    const quarters = Math.round(angle / QUARTER);
    const rest = angle - quarters * QUARTER;
    const slope = Math.abs(rest) < SAME_ANGLE ? this.#skew : this.#skew + rest;
    return { turn: ((quarters + 8) % 4) as Turn, slope: Math.round(slope * 1000) / 1000 };
  }

  #orderOf(object: number): number {
    this.#orders ??= new Map(this.#drawing.texts.map((text) => [text.object, text.order]));
    return this.#orders.get(object) ?? Number.POSITIVE_INFINITY;
  }

  #fontStyle(object: number): FontStyle {
    const { api, scratch } = this.#pdf;
    const font = api.FPDFTextObj_GetFont(object);
    const known = this.#fonts.get(font);
    if (known !== undefined || font === 0) {
      return known ?? PLAIN;
    }
    const size = api.FPDFFont_GetBaseFontName(font, scratch, SCRATCH_BYTES);
    const name = Buffer.from(
      api.memory.buffer,
      scratch,
      Math.max(0, Math.min(size, 200) - 1),
    ).toString("latin1");
    const flags = api.FPDFFont_GetFlags(font);
    const style = {
      isBold: isBoldName(name) || (flags & FORCE_BOLD) !== 0,
      isMono: MONO_NAME.test(name) || (flags & FIXED_PITCH) !== 0,
    };
    this.#fonts.set(font, style);
    return style;
  }

  /** Whether a text object at a place is drawn without ink, or white on white. */
  isInvisible(object: number, box: PageBox): boolean {
    if (this.#pdf.api.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE) {
      this.unseen.add(object);
      return !this.#drawing.hasScan;
    }
    const color = fillColor(this.#pdf, object);
    if (color === null) {
      return false;
    }
    const [r = 0, g = 0, b = 0, opacity = 255] = color;
    return opacity === 0 || (Math.min(r, g, b) >= WHITE && !this.#isOnDark(box));
  }

  #isOnDark({ left, right, bottom, top }: PageBox): boolean {
    const [x, y] = [(left + right) / 2, (bottom + top) / 2];
    return this.#drawing.dark.some(
      (area) => area.left <= x && area.right >= x && area.bottom <= y && area.top >= y,
    );
  }
}

/** By how much most text of a page is off the nearest quarter turn, in radians: a scan's text may be as skewed as the scan. */
export function skewOf(pdf: OpenPdf, text: number, characters: number): number {
  const rests: number[] = [];
  const stride = Math.max(1, characters / SKEW_SAMPLES);
  for (let at = 0; at < characters; at += stride) {
    if (pdf.api.FPDFText_GetMatrix(text, Math.floor(at), pdf.scratch) !== 0) {
      const [a = 1, b = 0] = floats(pdf, 2);
      const angle = Math.atan2(b, a);
      rests.push(angle - Math.round(angle / QUARTER) * QUARTER);
    }
  }
  const skew = median(rests);
  return Math.abs(skew) < LEAST_SKEW ? 0 : skew;
}

/** Whether a font's name, which may follow the tag of a subset and a plus sign, says that it is bold. */
export function isBoldName(name: string): boolean {
  return BOLD_NAME.test(name) || BOLD_TEX_NAME.test(name);
}
