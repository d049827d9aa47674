interface FormatFacts {
  /** As in the API's messages and the docs. */
  label: string;
  /** As in the console. */
  name: string;
  /** The first is the one that documents get. */
  mediaTypes: readonly [string, ...string[]];
  extensions: readonly string[];
  parser: "pdf" | "image" | "office" | "html" | "markdown" | "csv" | "email" | "outlook" | "plain";
}

/** The document formats. Parsers are named, not imported, so that the browser can load this table. */
export const FORMATS = {
  pdf: {
    label: "PDF",
    name: "PDF",
    mediaTypes: ["application/pdf"],
    extensions: ["pdf"],
    parser: "pdf",
  },
  png: {
    label: "PNG",
    name: "PNG",
    mediaTypes: ["image/png"],
    extensions: ["png"],
    parser: "image",
  },
  jpeg: {
    label: "JPEG",
    name: "JPEG",
    mediaTypes: ["image/jpeg"],
    extensions: ["jpg", "jpeg"],
    parser: "image",
  },
  tiff: {
    label: "TIFF",
    name: "TIFF",
    mediaTypes: ["image/tiff"],
    extensions: ["tif", "tiff"],
    parser: "image",
  },
  docx: {
    label: "DOCX",
    name: "Word",
    mediaTypes: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    extensions: ["docx"],
    parser: "office",
  },
  pptx: {
    label: "PPTX",
    name: "PowerPoint",
    mediaTypes: ["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
    extensions: ["pptx"],
    parser: "office",
  },
  xlsx: {
    label: "XLSX",
    name: "Excel",
    mediaTypes: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    extensions: ["xlsx"],
    parser: "office",
  },
  odt: {
    label: "ODT",
    name: "OpenDocument",
    mediaTypes: ["application/vnd.oasis.opendocument.text"],
    extensions: ["odt"],
    parser: "office",
  },
  ods: {
    label: "ODS",
    name: "OpenDocument sheets",
    mediaTypes: ["application/vnd.oasis.opendocument.spreadsheet"],
    extensions: ["ods"],
    parser: "office",
  },
  odp: {
    label: "ODP",
    name: "OpenDocument slides",
    mediaTypes: ["application/vnd.oasis.opendocument.presentation"],
    extensions: ["odp"],
    parser: "office",
  },
  rtf: {
    label: "RTF",
    name: "Rich Text",
    mediaTypes: ["application/rtf", "text/rtf"],
    extensions: ["rtf"],
    parser: "office",
  },
  html: {
    label: "HTML",
    name: "HTML",
    mediaTypes: ["text/html", "application/xhtml+xml"],
    extensions: ["html", "htm", "xhtml"],
    parser: "html",
  },
  epub: {
    label: "EPUB",
    name: "EPUB",
    mediaTypes: ["application/epub+zip"],
    extensions: ["epub"],
    parser: "office",
  },
  markdown: {
    label: "Markdown",
    name: "Markdown",
    mediaTypes: ["text/markdown"],
    extensions: ["md", "markdown", "mdown"],
    parser: "markdown",
  },
  email: {
    label: "EML",
    name: "Email",
    mediaTypes: ["message/rfc822"],
    extensions: ["eml"],
    parser: "email",
  },
  outlook: {
    label: "MSG",
    name: "Outlook email",
    mediaTypes: ["application/vnd.ms-outlook"],
    extensions: ["msg"],
    parser: "outlook",
  },
  csv: {
    label: "CSV",
    name: "CSV",
    mediaTypes: ["text/csv", "text/tab-separated-values"],
    extensions: ["csv", "tsv"],
    parser: "csv",
  },
  text: {
    label: "plain text",
    name: "Plain text",
    // Logs, source code and the like are text, whatever their extension.
    mediaTypes: ["text/plain", "text/*", "application/json", "application/xml"],
    extensions: ["txt"],
    parser: "plain",
  },
} as const satisfies Record<string, FormatFacts>;

export type Format = keyof typeof FORMATS;
type FormatOf<Parser> = {
  [F in Format]: (typeof FORMATS)[F]["parser"] extends Parser ? F : never;
}[Format];
export type OfficeFormat = FormatOf<"office">;
export type ImageFormat = FormatOf<"image">;

export const FORMAT_IDS = Object.keys(FORMATS) as Format[];

/** "PDF, DOCX, … or plain text". */
export const FORMAT_LABELS = listOf("label");
export const FORMAT_NAMES = listOf("name");

/** For a file input's `accept`. */
export const ACCEPTED_FILES = FORMAT_IDS.flatMap((format) => [
  ...FORMATS[format].mediaTypes,
  ...FORMATS[format].extensions.map((extension) => `.${extension}`),
]).join(",");

/** The format that documents with this media type have. */
export function findFormat(mediaType: string): Format | null {
  return FORMAT_IDS.find((format) => FORMATS[format].mediaTypes[0] === mediaType) ?? null;
}

export function hasExtension(name: string | null, format: Format): boolean {
  const extension = /\.(\w+)$/.exec(name ?? "")?.[1]?.toLowerCase();
  return FORMATS[format].extensions.some((known) => known === extension);
}

function listOf(member: "label" | "name"): string {
  const all = FORMAT_IDS.map((format) => FORMATS[format][member]);
  const last = all.pop() ?? "";
  return `${all.join(", ")} or ${last.charAt(0).toLowerCase()}${last.slice(1)}`;
}
