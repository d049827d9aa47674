"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import { Tabs } from "@/components/ui/tabs";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { toCurl, toPython, toTypeScript } from "./request-code";
import type { RequestBody } from "./settings";

interface CodeDialogProps extends DialogHandlers {
  request: RequestBody;
}

const LANGUAGES = [
  { id: "curl", label: "curl", write: toCurl },
  { id: "python", label: "Python", write: toPython },
  { id: "typescript", label: "TypeScript", write: toTypeScript },
];

/** Code that repeats a request. */
export function CodeDialog({ request, onClose, onCloseAutoFocus }: CodeDialogProps) {
  const { origin } = window.location;
  return (
    <Dialog
      title="Code for this request"
      description="Set FOOTNOTE_API_KEY to one of your keys. A key with the same knowledge bases finds the same sources."
      size="lg"
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      <DialogBody>
        <Tabs
          label="Language"
          tabs={LANGUAGES.map(({ id, label, write }) => ({
            id,
            label,
            content: <CodeBlock name={label} code={write(request, origin)} />,
          }))}
        />
      </DialogBody>
    </Dialog>
  );
}
