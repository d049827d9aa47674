import { VFile } from "vfile";
import { matter } from "vfile-matter";

interface FrontMatter {
  /** Parsed YAML, with its timestamps as dates; an empty object without front matter. */
  data: unknown;
  content: string;
}

/** Splits a Markdown text from its YAML front matter. Throws for YAML that is invalid or has too many aliases. */
export function splitFrontMatter(text: string): FrontMatter {
  const file = new VFile(text);
  matter(file, { strip: true, yaml: { customTags: ["timestamp"] } });
  return { data: file.data.matter ?? {}, content: String(file) };
}
