import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { GreyImage } from "../pdf/render-page";

/** Tesseract's API, as far as it is used. */
interface TesseractApi {
  Init(dataPath: null, languages: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  SetImageFile(orientation: number, radians: number): number;
  FindLines(): void;
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  MeanTextConf(): number;
  Clear(): void;
  End(): void;
}

interface TesseractModule {
  TessBaseAPI: new () => TesseractApi;
  FS: { writeFile(name: string, data: Uint8Array): void };
}

interface CompiledEngine {
  start: (options: object) => Promise<TesseractModule>;
  program: WebAssembly.Module;
}

/** Where models of languages are, besides those in packages. */
export interface LanguageData {
  folder: string | null;
}

/** For the operator. */
export class MissingModelError extends Error {
  override name = "MissingModelError";
}

/** Builds of the engine, the fastest first; not every version of Node can run it. */
const BUILDS = ["tesseract-core-relaxedsimd-lstm", "tesseract-core-simd-lstm"];
const LSTM = 1;
/** Otsu's threshold for a whole image, and Sauvola's local one, which also tells text from a shaded background. */
const THRESHOLDS = { whole: "0", local: "2" };
/** Page segmentation modes: finds columns and blocks by itself, or text wherever it is. */
const MODES = { blocks: "3", anywhere: "11" };
export type Segmentation = keyof typeof MODES;
/** Text that is turned less is read as well without straightening. */
const LEAST_SKEW = 0.005;
/** A model of one language, and a page of 300 dpi, take 180 MB. Beyond this, Tesseract ends with an error. */
const MAX_MEMORY = 400 * 1024 * 1024;
const WASM_PAGE = 64 * 1024;
const GZIP = 0x1f8b;
const IMAGE_FILE = "/input";

const require = createRequire(import.meta.url);
const unzip = promisify(gunzip);

let compiled: Promise<CompiledEngine> | undefined;

/** An engine for a language, or several as in "deu+eng", from local files alone. */
export async function startTesseract(languages: string, data: LanguageData) {
  compiled ??= compileEngine();
  const { start, program } = await compiled;
  const silent = () => undefined;
  const tesseract = await start({
    print: silent,
    printErr: silent,
    TesseractProgress: silent,
    instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => {
      const instance = new WebAssembly.Instance(program, imports);
      limitMemory(instance);
      done(instance);
      return instance.exports;
    },
  });
  for (const language of languages.split("+")) {
    tesseract.FS.writeFile(`${language}.traineddata`, await readModel(language, data));
  }
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, languages, LSTM) !== 0) {
    throw new Error(`Tesseract could not load the models of ${languages}.`);
  }
  /**
   * The words of an image as tab-separated values, their mean confidence, from 0 to 100, and by how many radians the
   * image was turned clockwise to straighten its lines.
   */
  return (
    image: GreyImage,
    segmentation: Segmentation,
  ): { tsv: string; confidence: number; skew: number } => {
    api.SetVariable("tessedit_pageseg_mode", MODES[segmentation]);
    api.SetVariable("thresholding_method", THRESHOLDS[isShaded(image) ? "local" : "whole"]);
    tesseract.FS.writeFile(IMAGE_FILE, toPortableGreymap(image));
    load(api, 0);
    api.FindLines();
    const gradient = api.GetGradient();
    const skew = Math.abs(gradient) >= LEAST_SKEW ? gradient : 0;
    if (skew !== 0) {
      load(api, skew);
    }
    api.Recognize(null);
    const read = { tsv: api.GetTSVText(0), confidence: api.MeanTextConf(), skew };
    api.Clear();
    return read;
  };
}

async function compileEngine(builds = BUILDS): Promise<CompiledEngine> {
  const [build, ...others] = builds;
  const wasm = await readFile(require.resolve(`tesseract.js-core/${build}.wasm`));
  try {
    const program = await WebAssembly.compile(wasm);
    return { start: require(`tesseract.js-core/${build}`), program };
  } catch (thrown) {
    if (others.length === 0) {
      throw thrown;
    }
    return compileEngine(others);
  }
}

function load(api: TesseractApi, radians: number): void {
  if (api.SetImageFile(1, radians) !== 0) {
    throw new Error("Tesseract could not load the image.");
  }
}

/** The engine's code grows its memory by this method, and takes an error for a lack of memory. */
function limitMemory({ exports }: WebAssembly.Instance): void {
  for (const memory of Object.values(exports)) {
    if (memory instanceof WebAssembly.Memory) {
      memory.grow = (pages) => {
        if (memory.buffer.byteLength + pages * WASM_PAGE > MAX_MEMORY) {
          throw new RangeError("The text recognition has used up its memory.");
        }
        return WebAssembly.Memory.prototype.grow.call(memory, pages);
      };
    }
  }
}

/** Leptonica's simplest format, of which nothing has to be decoded. */
function toPortableGreymap({ width, height, pixels }: GreyImage): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1"), pixels]);
}

/** The operator's model of a language, or that of its package. */
async function readModel(language: string, data: LanguageData): Promise<Uint8Array> {
  for (const file of modelFiles(language, data)) {
    const bytes = await readFile(file).catch(() => null);
    if (bytes) {
      return bytes.readUInt16BE(0) === GZIP ? unzip(bytes) : bytes;
    }
  }
  throw new MissingModelError(
    `OCR_LANGUAGES names '${language}', which has no model. Put ${language}.traineddata into a folder and name it in OCR_LANG_PATH.`,
  );
}

/** Where a language's model may be: in the operator's folder, or else in a package. */
function modelFiles(language: string, { folder }: LanguageData): string[] {
  const file = `${language}.traineddata`;
  const own = folder ? [path.join(folder, file), path.join(folder, `${file}.gz`)] : [];
  try {
    const packaged = `@tesseract.js-data/${language}/4.0.0_best_int/${file}.gz`;
    return [...own, require.resolve(packaged)];
  } catch {
    return own;
  }
}

/** Neither ink nor paper. */
const DARKEST = 40;
const LIGHTEST = 244;
/** In pixels: edges of letters are narrower than this. */
const WIDTH = 12;
const SAME = 4;
/** Every so many pixels are enough. */
const SAMPLED = 5;
const MIN_SHARE = 0.005;

/** Whether part of an image has an even background darker than paper, such as shaded rows of a table. */
function isShaded({ pixels }: GreyImage): boolean {
  let [count, shaded] = [0, 0];
  for (let at = 0; at + WIDTH < pixels.length; at += SAMPLED) {
    const grey = pixels[at] ?? LIGHTEST;
    count += 1;
    const isGrey = grey > DARKEST && grey < LIGHTEST;
    shaded += isGrey && Math.abs(grey - (pixels[at + WIDTH] ?? 0)) <= SAME ? 1 : 0;
  }
  return shaded > count * MIN_SHARE;
}
