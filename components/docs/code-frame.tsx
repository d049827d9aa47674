"use client";

import { Check, Copy, Play } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { useIsTab } from "./code-tabs";
import { LOCAL_ADDRESS } from "./local-address";
import { playgroundLink } from "./playground-link";

const SHOWN_MS = 2000;

const ACTION =
  "grid size-8 place-items-center rounded-md text-on-code outline-on-code/80 hover:bg-on-code/10";

interface CodeFrameProps {
  /** What the code is, such as "curl". */
  name: string;
  /** The highlighted code. */
  children: ReactNode;
}

/** Highlighted code with a copy button, using the page's own origin. */
export function CodeFrame({ name, children }: CodeFrameProps) {
  const isTab = useIsTab();
  const code = useRef<HTMLPreElement>(null);
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    if (code.current) {
      setLink(playgroundLink(code.current.textContent));
      showOwnOrigin(code.current);
    }
  }, []);
  return (
    <figure className={isTab ? "relative" : "relative min-w-0 rounded-lg bg-code text-on-code"}>
      {!isTab && (
        <figcaption className="border-on-code/15 border-b px-4 py-2.5 pr-22 text-xs [overflow-wrap:anywhere]">
          {name}
        </figcaption>
      )}
      <div className={cn("absolute right-1.5 flex", isTab ? "-top-9" : "top-1")}>
        {link && (
          // A document of its own: the fragment is read when the page loads.
          <a
            href={link}
            aria-label="Open in the playground"
            title="Open in the playground"
            className={ACTION}
          >
            <Play aria-hidden className="size-4" />
          </a>
        )}
        <CopyCode name={name} read={() => code.current?.textContent ?? ""} />
      </div>
      <pre
        ref={code}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll wide code.
        tabIndex={0}
        className="scroll-fade-x overflow-x-auto rounded-b-lg px-4 py-3 font-mono text-[0.8125rem] text-on-code leading-6 outline-offset-[-2px] [tab-size:4] [&_code]:whitespace-pre [&_code]:bg-transparent [&_code]:p-0 [&_code]:text-[1em] print:[mask:none] print:[&_code]:whitespace-pre-wrap print:[&_code]:break-words"
      >
        {children}
      </pre>
    </figure>
  );
}

/** Replaces the address of the Markdown files. Done on the text, because it is highlighted on the server. */
function showOwnOrigin(element: Element): void {
  const { origin } = window.location;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (origin !== LOCAL_ADDRESS && texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.nodeValue = currentNode.nodeValue?.replaceAll(LOCAL_ADDRESS, origin) ?? null;
  }
}

function CopyCode({ name, read }: { name: string; read: () => string }) {
  const [message, setMessage] = useState("");
  const copy = async () => {
    const next = await navigator.clipboard.writeText(read()).then(
      () => "Copied",
      () => "Couldn’t copy. Select the text and copy it.",
    );
    setMessage(next);
    setTimeout(() => setMessage(""), SHOWN_MS);
  };
  const Icon = message === "Copied" ? Check : Copy;
  return (
    <>
      <button type="button" aria-label={`Copy ${name}`} onClick={copy} className={ACTION}>
        <Icon aria-hidden className="size-4" />
      </button>
      <span role="status" className="sr-only">
        {message}
      </span>
    </>
  );
}
