"use client";

import type { ReactNode } from "react";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { DialogBody, DialogFooter } from "./dialog";

interface SecretPanelProps {
  /** What it is, such as "Secret". */
  label: string;
  heading: string;
  secret: string;
  copyLabel: string;
  doneLabel: string;
  onDone: () => void;
  children?: ReactNode;
}

/** The step of a dialog that shows something once, to be copied. */
export function SecretPanel({ label, heading, secret, ...rest }: SecretPanelProps) {
  return (
    <>
      <DialogBody>
        <section aria-label={label} className="grid min-w-0 grid-cols-1 gap-2">
          <h3 className="break-words font-medium">{heading}</h3>
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-accent bg-accent-soft p-2 pl-3">
            <code className="min-w-0 break-all font-mono text-xs leading-5">{secret}</code>
            <CopyButton text={secret} label={rest.copyLabel} autoFocus />
          </div>
        </section>
        {rest.children}
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={rest.onDone}>
          {rest.doneLabel}
        </Button>
      </DialogFooter>
    </>
  );
}
