"use client";

import { common, createLowlight } from "lowlight";
import { Fragment, type ReactNode, useMemo } from "react";

const lowlight = createLowlight(common);

type Tree = ReturnType<typeof lowlight.highlight>;
type Node = Tree["children"][number];

/** Token colors, each of which has enough contrast on a sunken background. */
const COLORS: readonly [token: RegExp, color: string][] = [
  [/keyword|built_in|selector|tag|name/, "text-accent"],
  [/string|regexp|addition|symbol/, "text-success"],
  [/number|literal|variable|attr|meta/, "text-warning"],
  [/comment|quote/, "text-muted italic"],
  [/title|section/, "font-medium"],
  [/deletion/, "text-danger"],
];

/** Code with its tokens colored, or as it is in a language that isn't known. */
export function Highlight({ code, language }: { code: string; language: string }) {
  const tree = useMemo(
    () => (lowlight.registered(language) ? lowlight.highlight(language, code) : null),
    [code, language],
  );
  return tree ? <Nodes nodes={tree.children} /> : code;
}

function Nodes({ nodes }: { nodes: readonly Node[] }): ReactNode {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity, and only the last ones change.
    <Fragment key={index}>{render(node)}</Fragment>
  ));
}

function render(node: Node): ReactNode {
  if (node.type === "text") {
    return node.value;
  }
  if (node.type !== "element") {
    return null;
  }
  const token = String(node.properties.className ?? "");
  const color = COLORS.find(([pattern]) => pattern.test(token))?.[1];
  return (
    <span className={color}>
      <Nodes nodes={node.children as readonly Node[]} />
    </span>
  );
}
