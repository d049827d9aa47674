"use client";

import { Square, SquareCheck } from "lucide-react";
import { createElement, Fragment, lazy, type ReactNode, Suspense, useMemo } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { cn } from "@/lib/cn";
import { AnswerText, PlainAnswer, useAnswer } from "./answer-text";
import { type Node, parseAnswer, textsOf } from "./markdown/parse";

// Loaded only for an answer with a formula.
const Formula = lazy(async () => ({ default: (await import("./formula")).Formula }));

const LOOKS: Record<string, string> = {
  ul: "grid list-disc gap-1 pl-5",
  ol: "grid list-decimal gap-1 pl-6",
  li: "[&>p]:mb-1",
  blockquote: "grid gap-2 border-l-2 pl-3 text-muted",
  strong: "font-semibold",
  // Don't break words: wide tables scroll.
  table: "w-full border-collapse text-left [overflow-wrap:normal]",
  thead: "border-b text-muted text-xs",
  tr: "border-b last:border-b-0",
  th: "px-2 py-1.5 font-medium",
  td: "px-2 py-1.5 align-top",
};
const TASK = "relative list-none";
const ALIGN: Record<string, string> = {
  left: "text-left",
  center: "text-center",
  right: "text-right",
};

/** Renders an answer's Markdown: text, lists, tables, code and formulas. Nothing in it is fetched or executed. */
export function MarkdownAnswer() {
  const { content, segments } = useAnswer();
  const nodes = useMemo(() => parseAnswer(content), [content]);
  const hasAllMarkers = useMemo(() => {
    const texts = textsOf(nodes ?? []);
    return segments.every(
      ({ marker, start, end }) =>
        !marker?.annotation || texts.some((text) => text.start <= start && end <= text.end),
    );
  }, [nodes, segments]);
  // If Markdown would swallow a marker, as inside a link, fall back to plain text.
  if (!nodes || !hasAllMarkers) {
    return <PlainAnswer />;
  }
  return <Nodes nodes={nodes} />;
}

/** The level of an answer's top headings: one below the heading above it. */
const TOP_LEVEL = 3;

function Nodes({ nodes }: { nodes: readonly Node[] }): ReactNode {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nodes are only appended, and the last one grows.
    <Fragment key={index}>{render(node)}</Fragment>
  ));
}

function render(node: Node): ReactNode {
  switch (node.kind) {
    case "text":
      return <AnswerText range={node} shown={node.shown} />;
    case "break":
      return <br />;
    case "rule":
      return <hr />;
    case "code":
      return (
        <code className="rounded bg-sunken px-1 font-mono text-[0.85em] [overflow-wrap:anywhere]">
          {node.text}
        </code>
      );
    case "code-block":
      return <CodeBlock name={node.language || "Code"} code={node.text} language={node.language} />;
    case "math":
      return (
        <Suspense fallback={node.text}>
          <Formula text={node.text} isDisplay={node.isDisplay} />
        </Suspense>
      );
    case "link":
      return <Address text={node.text} address={node.address} />;
    case "heading":
      return createElement(
        `h${Math.min(6, TOP_LEVEL + node.depth - 1)}`,
        { className: node.depth === 1 ? "font-semibold text-base" : "font-semibold" },
        <Nodes nodes={node.children} />,
      );
    case "element":
      return <Element {...node} />;
  }
}

type ElementProps = Omit<Extract<Node, { kind: "element" }>, "kind">;

function Element({ tag, children, first, align, isDone }: ElementProps) {
  const isTask = isDone !== undefined;
  const element = createElement(
    tag,
    {
      className:
        [LOOKS[tag], align && ALIGN[align], isTask && TASK].filter(Boolean).join(" ") || undefined,
      ...(first !== undefined && { start: first }),
      ...(tag === "th" && { scope: "col" }),
    },
    <>
      {isTask && <TaskMark isDone={isDone} />}
      <Nodes nodes={children} />
    </>,
  );
  return tag === "table" ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a wide table.
    // biome-ignore lint/a11y/useSemanticElements: several tables would be landmarks with the same name.
    <div role="group" className="overflow-x-auto" tabIndex={0} aria-label="Table">
      {element}
    </div>
  ) : (
    element
  );
}

/** Where the bullet of a list item would be. */
function TaskMark({ isDone }: { isDone: boolean }) {
  const Icon = isDone ? SquareCheck : Square;
  return (
    <Icon
      role="img"
      aria-label={isDone ? "Done" : "To do"}
      className={cn("absolute top-[0.25em] -left-5 size-[1.05em]", !isDone && "text-muted")}
    />
  );
}

/** A link written by the model: its text with the full URL visible. */
function Address({ text, address }: { text: string; address: string }) {
  return (
    <>
      {text && `${text} (`}
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent underline underline-offset-4 [overflow-wrap:anywhere]"
      >
        {address}
      </a>
      {text && ")"}
    </>
  );
}
