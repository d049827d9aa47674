import { markdownComponents } from "./prose";
import { renderPage } from "./render";

/** A Markdown file of the repository as a page of its own, outside the documentation. */
export async function MarkdownDocument({ file }: { file: string }) {
  const { Content } = await renderPage({ file });
  return (
    <article className="mx-auto grid max-w-3xl gap-4 px-4 py-12 text-[0.9375rem] leading-7 sm:px-6 sm:py-16 [&>h1]:font-medium [&>h1]:font-serif [&>h1]:text-5xl [&>h1]:leading-[1.08] [&>h1]:tracking-[-0.02em]">
      <Content components={markdownComponents(file)} />
    </article>
  );
}
