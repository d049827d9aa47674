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
import { FORMAT_IDS, findFormat, hasExtension } from "@/lib/reading/formats";

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

interface FormatIconProps {
  /** As the server recognized it. */
  mediaType?: string;
  /** The file's name, until then. */
  name?: string | null;
}

/** The kind of file, whose name is in text beside it. */
export function FormatIcon({ mediaType = "", name = null }: FormatIconProps) {
  const format =
    findFormat(mediaType) ?? FORMAT_IDS.find((each) => hasExtension(name, each)) ?? null;
  const Icon = (format && ICONS[format]) ?? FileText;
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-md border bg-sunken text-muted"
    >
      <Icon className="size-4" />
    </span>
  );
}
