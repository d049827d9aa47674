import { isLatin, type LatinLanguage, languageOf } from "@/lib/text/languages";
import { DocumentError, faultOf } from "../document-error";
import { type GreyImage, renderPage } from "../pdf/render-page";
import { findRules, inkOutside, withoutRules } from "./drawn-rules";
import { DPI, MAX_PIXELS, readPicture, toJpeg, upsideDown } from "./picture";
import { layOutWords, type RecognizedPage } from "./recognized-page";
import { type Reading, toRecognizedWords, wordBoxes, wordsAsText } from "./recognized-words";
import {
  type LanguageData,
  MissingModelError,
  type Segmentation,
  startTesseract,
} from "./tesseract";

export interface PageTask {
  format: "pdf" | "image";
  page: number;
  /** Tesseract languages that may be used, and the one to begin with. */
  languages: readonly string[];
  language: string;
  data: LanguageData;
  /** Whether the page's image is returned as well. */
  wantsPicture?: boolean;
}

export interface ReadPage {
  page: RecognizedPage;
  /** A JPEG, upright; null unless it is wanted. */
  picture: Uint8Array | null;
}

export type PageAnswer = ReadPage | ReturnType<typeof faultOf>;

/** The Tesseract language of each language that can be told by its words. */
const TESSERACT_LANGUAGES: Record<LatinLanguage, string> = {
  en: "eng",
  de: "deu",
  fr: "fra",
  es: "spa",
  it: "ita",
  pt: "por",
  nl: "nld",
  sv: "swe",
  da: "dan",
  no: "nor",
  fi: "fin",
  tr: "tur",
};
/** A page with less may be upside down. */
const DOUBTFUL = 70;
/** The share of a page's ink that its words may leave out, such as a picture's, and how many more letters count. */
const MAX_OUTSIDE = 0.2;
const MORE_LETTERS = 1.1;

type Engine = Awaited<ReturnType<typeof startTesseract>>;

/** The thread's engine: its language, and one at a time, because its memory never shrinks. */
let running: { language: string; engine: Engine } | null = null;

/** Of the page before: a large file isn't sent again for each of its pages. */
let file = new Uint8Array();

/** The process's side of the pool. Errors are sent as data, because they lose their class on the way. */
export async function recognizePage(
  task: PageTask,
  [bytes]: readonly Uint8Array<ArrayBuffer>[],
): Promise<PageAnswer> {
  file = bytes ?? file;
  try {
    return await readPage(task);
  } catch (thrown) {
    // Whatever broke it, the next page gets a new one.
    running = null;
    if (thrown instanceof MissingModelError) {
      throw thrown;
    }
    return faultOf(thrown instanceof DocumentError ? thrown : new DocumentError("damaged_file"));
  }
}

async function readPage(task: PageTask): Promise<ReadPage> {
  const image = await imageOf(task);
  const first = await readUpright(task, image);
  const language = languageFor(wordsAsText(first.tsv), task);
  // A language can be recognized by its words even when some letters are misread.
  const found = language === task.language ? first : await readAs(task, language, first);
  const reading = await readWhole(task, language, found);
  const blocks = layOutWords(toRecognizedWords(reading), task.page);
  return {
    page: { page: task.page, blocks, language },
    picture: task.wantsPicture ? await toJpeg(reading.image) : null,
  };
}

function imageOf({ format, page }: PageTask): Promise<GreyImage> {
  return format === "pdf"
    ? renderPage(file, { page, dpi: DPI, maxPixels: MAX_PIXELS })
    : readPicture(Buffer.from(file.buffer, file.byteOffset, file.byteLength), page);
}

/** Reads a page once more, wherever it has text, if the blocks that Tesseract found leave out much of its ink. */
async function readWhole(
  task: PageTask,
  language: string,
  reading: PageReading,
): Promise<PageReading> {
  const ink = withoutRules(reading.image, reading.rules);
  if (reading.skew !== 0 || inkOutside(ink, wordBoxes(reading.tsv)) < MAX_OUTSIDE) {
    return reading;
  }
  const other = await readAs(task, language, { ...reading, segmentation: "anywhere" });
  return lettersOf(other) > lettersOf(reading) * MORE_LETTERS ? other : reading;
}

function lettersOf({ tsv }: PageReading): number {
  return wordsAsText(tsv).match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

interface PageReading extends Reading {
  confidence: number;
  image: GreyImage;
}

/** Reads a page, or the page upside down if that makes more sense. Tesseract itself reads text that runs upward. */
async function readUpright(task: PageTask, image: GreyImage): Promise<PageReading> {
  const first = await readAs(task, task.language, { image, isUpsideDown: false });
  if (!wordsAsText(first.tsv) || first.confidence >= DOUBTFUL) {
    return first;
  }
  const turned = { image: upsideDown(image), isUpsideDown: true };
  const other = await readAs(task, task.language, turned);
  return other.confidence > first.confidence ? other : first;
}

async function readAs(
  task: PageTask,
  language: string,
  {
    image,
    isUpsideDown,
    segmentation = "blocks",
  }: { image: GreyImage; isUpsideDown: boolean; segmentation?: Segmentation },
): Promise<PageReading> {
  if (running?.language !== language) {
    running = { language, engine: await startTesseract(language, task.data) };
  }
  const { width, height } = image;
  const rules = findRules(image);
  const read = running.engine(withoutRules(image, rules), segmentation);
  return {
    ...read,
    ...{ width, height, image, isUpsideDown, rules: read.skew === 0 ? rules : [] },
  };
}

/** The language of a page's text if it has a model, or else the one it was read as. */
function languageFor(text: string, { language, languages }: PageTask): string {
  const found = languageOf(text);
  const known = found && isLatin(found) ? TESSERACT_LANGUAGES[found] : null;
  // A combination such as "deu+eng" reads both.
  const isRead = known !== null && language.split("+").includes(known);
  return !isRead && known !== null && languages.includes(known) ? known : language;
}
