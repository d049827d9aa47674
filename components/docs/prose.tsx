import Link from "next/link";
import { Children, type ComponentProps, isValidElement, type ReactNode } from "react";
import { CodeFrame } from "./code-frame";
import { CodeTab, CodeTabs } from "./code-tabs";
import { siteAddress } from "./links";

/** React components for the Markdown of `file`, with links resolved to the site. */
export function markdownComponents(file: string) {
  return {
    h1: (props: ComponentProps<"h1">) => (
      <h1
        {...props}
        className="text-balance font-medium font-serif text-4xl leading-[1.1] tracking-[-0.02em] sm:text-[2.75rem]"
      />
    ),
    h2: heading(
      "h2",
      "mt-10 font-medium font-serif text-[1.75rem] leading-tight tracking-[-0.015em]",
    ),
    h3: heading("h3", "mt-4 font-semibold text-base tracking-tight"),
    p: (props: ComponentProps<"p">) => (
      <p {...props} className="text-pretty [overflow-wrap:anywhere]" />
    ),
    a: ({ href = "", children }: ComponentProps<"a">) => (
      <TextLink address={siteAddress(href, file)}>{children}</TextLink>
    ),
    ul: (props: ComponentProps<"ul">) => <ul {...props} className="grid list-disc gap-2 pl-5" />,
    ol: (props: ComponentProps<"ol">) => <ol {...props} className="grid list-decimal gap-3 pl-6" />,
    li: (props: ComponentProps<"li">) => (
      <li
        {...props}
        className="min-w-0 pl-1 [overflow-wrap:anywhere] marker:text-muted [&>*+*]:mt-3"
      />
    ),
    code: (props: ComponentProps<"code">) => (
      <code
        {...props}
        className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em] [overflow-wrap:anywhere]"
      />
    ),
    pre: ({ title = "Code", children }: ComponentProps<"pre">) => (
      <CodeFrame name={title}>{children}</CodeFrame>
    ),
    CodeBlockTabs,
    CodeBlockTab: CodeTab,
    CodeBlockTabsList: Nothing,
    CodeBlockTabsTrigger: Nothing,
    table: ScrollingTable,
    th: HeaderCell,
    td: ({ style, children }: ComponentProps<"td">) => (
      <td
        style={style}
        className="min-w-24 border-t px-3 py-2 align-top first:pl-0 [&_code]:[overflow-wrap:normal]"
      >
        {children}
      </td>
    ),
  };
}

/** A heading that links to itself. */
function heading(Level: "h2" | "h3", className: string) {
  return ({ id, children }: ComponentProps<"h2">) => (
    <Level id={id} className={className}>
      <a
        href={`#${id}`}
        className="rounded py-1 decoration-muted underline-offset-4 hover:underline [overflow-wrap:anywhere] [&_code]:bg-transparent [&_code]:p-0"
      >
        {children}
      </a>
    </Level>
  );
}

/** A link. `address` is null for a file that isn't on the site, which renders as plain text. */
export function TextLink({ address, children }: { address: string | null; children: ReactNode }) {
  if (address === null) {
    return children;
  }
  const look = "text-accent underline underline-offset-4 hover:decoration-2";
  return address.startsWith("/docs") ? (
    <Link href={address} className={look}>
      {children}
    </Link>
  ) : (
    <a href={address} className={look}>
      {children}
    </a>
  );
}

function Nothing() {
  return null;
}

/** The tabs that `remarkCodeTab` makes: a list of triggers, which `CodeTabs` renders itself, then the tabs. */
function CodeBlockTabs({ children }: { children: ReactNode }) {
  const [, ...tabs] = Children.toArray(children).filter(isValidElement<{ value: string }>);
  return <CodeTabs languages={tabs.map(({ props }) => props.value)}>{tabs}</CodeTabs>;
}

/** An empty header cell renders as a plain cell. */
function HeaderCell({ style, children }: ComponentProps<"th">) {
  const look = "px-3 py-2 align-bottom font-medium first:pl-0";
  return children ? (
    <th scope="col" style={style} className={look}>
      {children}
    </th>
  ) : (
    <td className={look} />
  );
}

function ScrollingTable({ children }: ComponentProps<"table">) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not a table.
    <div
      role="group"
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a wide table.
      tabIndex={0}
      className="overflow-x-auto rounded-sm"
    >
      <table className="w-full border-collapse text-left text-sm leading-6">{children}</table>
    </div>
  );
}
