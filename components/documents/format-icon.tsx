import {
  BookOpen,
  FileCode,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  type LucideIcon,
  Mail,
  Presentation,
} from "lucide-react";
import { findFormat } from "@/lib/documents/formats";

type Format = NonNullable<ReturnType<typeof findFormat>>;

const ICONS: Partial<Record<Format, LucideIcon>> = {
  pdf: FileType,
  png: FileImage,
  jpeg: FileImage,
  tiff: FileImage,
  xlsx: FileSpreadsheet,
  ods: FileSpreadsheet,
  csv: FileSpreadsheet,
  pptx: Presentation,
  odp: Presentation,
  html: FileCode,
  epub: BookOpen,
  email: Mail,
  outlook: Mail,
};

/** The kind of file, whose name is in text beside it. */
export function FormatIcon({ mediaType }: { mediaType: string }) {
  const format = findFormat(mediaType);
  const Icon = (format && ICONS[format]) ?? FileText;
  return <Icon aria-hidden className="size-4 shrink-0 text-muted" />;
}
