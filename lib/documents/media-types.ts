/** What a document may be, and the media type that its reader finds it to have. */
export const MEDIA_TYPES = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  odt: "application/vnd.oasis.opendocument.text",
  epub: "application/epub+zip",
  html: "text/html",
  markdown: "text/markdown",
  csv: "text/csv",
  text: "text/plain",
} as const;

export type Format = keyof typeof MEDIA_TYPES;
