import * as z from "zod";
import { portableMarkdown } from "@/components/docs/links";
import { findMarkdownPage } from "@/components/docs/pages";
import { anyReader, readable } from "@/components/docs/readable";
import { readRepositoryFile } from "@/components/docs/source";
import { AppError } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: anyReader,
  params: z.object({ slug: z.string() }),
  handle: async ({ params }) => {
    const page = findMarkdownPage(params.slug);
    if (!page) {
      throw new AppError("not_found", "Page not found. See /llms.txt for a list of pages.");
    }
    const text = await readRepositoryFile(page.file);
    return readable(
      portableMarkdown(text, { file: page.file, origin: new URL(env.APP_URL).origin }),
      "text/markdown",
    );
  },
});
