import { useRouter } from "next/navigation";
import { lazy, Suspense } from "react";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import type { Document } from "@/lib/library/documents/schema";
import { type Attribute, attributesIn, formatAttribute } from "./attribute-value";

// Loaded when first opened.
const AttributeDialog = lazy(async () => ({
  default: (await import("./attribute-dialog")).AttributeDialog,
}));

/** A document's attributes, each to change or remove. */
export function DocumentAttributes({ document }: { document: Document }) {
  const router = useRouter();
  const dialog = useDialog<{ attribute?: Attribute }, HTMLButtonElement>();
  const attributes = attributesIn(document.metadata);
  return (
    <section
      aria-labelledby="attributes"
      className="flex min-w-0 flex-wrap items-center gap-2 rounded-lg border bg-surface p-4"
    >
      <h2 id="attributes" className="mr-1 text-muted text-xs">
        Attributes
      </h2>
      {attributes.length === 0 && (
        <p className="text-muted">None yet. Searches can filter by the attributes you add.</p>
      )}
      {attributes.map((attribute) => {
        const text = `${attribute.name}: ${formatAttribute(attribute.value)}`;
        return (
          <button
            key={attribute.name}
            type="button"
            title={text}
            aria-label={`Change ${text}`}
            onClick={() => dialog.show({ attribute })}
            className="min-h-6 max-w-full truncate rounded bg-sunken px-1.5 text-xs underline-offset-4 hover:underline"
          >
            {text}
          </button>
        );
      })}
      <Button
        ref={dialog.fallback}
        size="sm"
        onClick={() => dialog.show({})}
        className="ml-auto print:hidden"
      >
        Add attribute
      </Button>
      <Suspense>
        {dialog.open && (
          <AttributeDialog
            {...dialog.open}
            documents={[document]}
            onDone={() => {
              // A chip may go away when the server has rendered the page again.
              dialog.finish();
              router.refresh();
            }}
            {...dialog.handlers}
          />
        )}
      </Suspense>
    </section>
  );
}
