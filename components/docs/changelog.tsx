import { Fold } from "./doc-frame";
import { markdownComponents } from "./prose";
import { renderPage } from "./render";
import { TableOfContents } from "./toc";

const FILE = "CHANGELOG.md";

/** The changelog, with its days beside it; on narrow screens they are collapsed above it. */
export async function Changelog() {
  const { Content, toc } = await renderPage({ file: FILE });
  return (
    <div className="mx-auto grid max-w-5xl gap-x-12 px-4 sm:px-6 lg:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="-mx-4 grid border-b sm:-mx-6 lg:hidden">
        <Fold name="On this page">
          <TableOfContents toc={toc} />
        </Fold>
      </div>
      <article className="grid min-w-0 content-start gap-4 py-8 text-[0.9375rem] leading-7 lg:py-16">
        <Content components={markdownComponents(FILE)} />
      </article>
      <div className="sticky top-0 hidden max-h-dvh content-start gap-2 overflow-y-auto py-16 lg:grid">
        <p className="font-medium text-xs">On this page</p>
        <TableOfContents toc={toc} />
      </div>
    </div>
  );
}
