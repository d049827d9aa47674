import { CHECKED, UNCHECKED } from "@/lib/text/unasserted";
import { type OpenPdf, readUtf16, writeName } from "./engine";
import type { PageBox } from "./geometry";
import { floats } from "./matrix";

/** Text shown on a page but stored outside its content: form values and typed-on notes. */
export interface Note {
  text: string;
  box: PageBox;
}

interface Annotations {
  notes: Note[];
  /** Areas whose text is marked as struck out. */
  struck: PageBox[];
}

const FREE_TEXT = 3;
const STRIKE_OUT = 12;
const WIDGET = 20;
/** Flags of an annotation that a reader doesn't see: hidden, or not to be viewed. */
const UNSEEN = (1 << 1) | (1 << 5);
const CHECKBOX = 2;
const RADIO = 3;
const COMBO = 4;
const LIST = 5;
const TEXT = 6;
const PASSWORD = 1 << 13;
/** A form of more fields on one page is no form. */
const MAX_ANNOTATIONS = 2000;
/** The struct of callbacks, all absent; its version comes first. */
const FORM_INFO_BYTES = 256;
const FORM_INFO_VERSION = 2;

export type AnnotationReader = (page: number) => Annotations;

/** Reads the values of form fields, and text typed on the page. */
export function annotationReader(pdf: OpenPdf): AnnotationReader {
  const { api, document } = pdf;
  let form = 0;
  if (api.FPDF_GetFormType(document) !== 0) {
    const info = api.malloc(FORM_INFO_BYTES);
    new Uint8Array(api.memory.buffer).fill(0, info, info + FORM_INFO_BYTES);
    pdf.view().setUint32(info, FORM_INFO_VERSION, true);
    form = api.FPDFDOC_InitFormFillEnvironment(document, info);
  }
  return (page) => {
    const notes: Note[] = [];
    const struck: PageBox[] = [];
    const count = Math.min(api.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
    for (let at = 0; at < count; at += 1) {
      const annotation = api.FPDFPage_GetAnnot(page, at);
      if (annotation !== 0) {
        const note = readNote(pdf, form, annotation);
        notes.push(...(note ? [note] : []));
        struck.push(...struckBy(pdf, annotation));
        api.FPDFPage_CloseAnnot(annotation);
      }
    }
    return { notes, struck };
  };
}

/** The areas, one a line, that an annotation strikes out. */
function struckBy(pdf: OpenPdf, annotation: number): PageBox[] {
  const { api, scratch } = pdf;
  const isStrike = api.FPDFAnnot_GetSubtype(annotation) === STRIKE_OUT;
  if (!isStrike || (api.FPDFAnnot_GetFlags(annotation) & UNSEEN) !== 0) {
    return [];
  }
  const count = Math.min(api.FPDFAnnot_CountAttachmentPoints(annotation), MAX_ANNOTATIONS);
  return Array.from({ length: count }, (_, at) => {
    api.FPDFAnnot_GetAttachmentPoints(annotation, at, scratch);
    const points = floats(pdf, 8);
    const xs = points.filter((_, index) => index % 2 === 0);
    const ys = points.filter((_, index) => index % 2 === 1);
    return {
      left: Math.min(...xs),
      right: Math.max(...xs),
      bottom: Math.min(...ys),
      top: Math.max(...ys),
    };
  });
}

function readNote(pdf: OpenPdf, form: number, annotation: number): Note | null {
  const { api, scratch } = pdf;
  if ((api.FPDFAnnot_GetFlags(annotation) & UNSEEN) !== 0) {
    return null;
  }
  const text = textOf(pdf, form, annotation).trim();
  if (!text || api.FPDFAnnot_GetRect(annotation, scratch) === 0) {
    return null;
  }
  const [left = 0, top = 0, right = 0, bottom = 0] = floats(pdf, 4);
  return { text, box: { left, top, right, bottom } };
}

function textOf(pdf: OpenPdf, form: number, annotation: number): string {
  const { api } = pdf;
  const subtype = api.FPDFAnnot_GetSubtype(annotation);
  if (subtype === FREE_TEXT) {
    return entryOf(pdf, annotation, "Contents");
  }
  if (subtype !== WIDGET || form === 0) {
    return "";
  }
  const type = api.FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === CHECKBOX || type === RADIO) {
    return ["", "Off"].includes(entryOf(pdf, annotation, "AS")) ? UNCHECKED : CHECKED;
  }
  const isSecret = (api.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD) !== 0;
  return (type === TEXT && !isSecret) || type === COMBO || type === LIST
    ? readUtf16(pdf, (buffer, size) =>
        api.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size),
      )
    : "";
}

function entryOf(pdf: OpenPdf, annotation: number, key: string): string {
  return readUtf16(pdf, (buffer, size) =>
    pdf.api.FPDFAnnot_GetStringValue(annotation, writeName(pdf, key), buffer, size),
  );
}
