"use client";

import { X } from "lucide-react";
import { AlertDialog as AlertPrimitive, Dialog as Primitive } from "radix-ui";
import type { FormEvent, ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Button } from "./button";
import { FormError } from "./form-error";
import type { DialogHandlers } from "./use-dialog";

const OVERLAY = "fixed inset-0 z-40 animate-appear bg-[oklch(0_0_0/0.45)]";
const PANEL =
  "fixed z-50 flex animate-appear flex-col border bg-raised shadow-lg focus-visible:outline-none inset-x-0 bottom-0 max-h-[94dvh] rounded-t-xl";
const CENTERED =
  "sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:max-h-[88dvh] sm:w-[calc(100vw-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg";
/** Beside the page, at its full height. */
const SHEET =
  "sm:inset-x-auto sm:right-0 sm:inset-y-0 sm:max-h-none sm:w-[36rem] sm:max-w-[calc(100vw-4rem)] sm:rounded-none sm:border-y-0 sm:border-r-0 sm:animate-sheet [&>form]:grow [&>form>div]:grow [&>form>div]:content-start";

const SIZES = {
  md: `${CENTERED} sm:max-w-lg`,
  lg: `${CENTERED} sm:max-w-2xl`,
  sheet: SHEET,
};

interface DialogProps extends Pick<DialogHandlers, "onCloseAutoFocus"> {
  title: string;
  description?: ReactNode;
  size?: keyof typeof SIZES;
  /** Without it, only the buttons inside close the dialog. */
  onClose?: (() => void) | undefined;
  /** Whether a click outside closes it. Pass false once something was typed. */
  isDismissable?: boolean;
  children: ReactNode;
}

/** A modal dialog. It is open while it is rendered. */
export function Dialog({
  title,
  description,
  size = "md",
  onClose,
  isDismissable = true,
  ...rest
}: DialogProps) {
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose?.()}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY} />
        <Primitive.Content
          className={cn(PANEL, SIZES[size])}
          onInteractOutside={(event) => !isDismissable && event.preventDefault()}
          onCloseAutoFocus={rest.onCloseAutoFocus}
          {...(!description && { "aria-describedby": undefined })}
        >
          <header className="flex items-start gap-3 border-b px-5 py-3.5">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <Primitive.Title className="break-words font-semibold text-base">
                {title}
              </Primitive.Title>
              {description && (
                <Primitive.Description className="text-muted">{description}</Primitive.Description>
              )}
            </div>
            {onClose && (
              <Primitive.Close asChild>
                <Button variant="ghost" size="icon" aria-label="Close" className="-mr-2 -mt-0.5">
                  <X aria-hidden />
                </Button>
              </Primitive.Close>
            )}
          </header>
          {rest.children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The scrolling part of a dialog. */
export function DialogBody({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-0 gap-5 overflow-y-auto overscroll-contain px-5 py-4">
      {children}
    </div>
  );
}

/** A dialog's actions, always in view. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      {children}
    </footer>
  );
}

interface FormDialogProps extends Omit<DialogProps, keyof DialogHandlers>, DialogHandlers {
  submitLabel: string;
  /** Keeps the dialog open: closing it now could lose a result that is shown once. */
  isPending: boolean;
  isDestructive?: boolean;
  /** An error of the whole form rather than of one field. */
  error?: string | null | undefined;
  onSubmit: (event: FormEvent) => void;
  /** Replaces the form once it was submitted, in the same dialog so that focus stays inside. Only its own buttons close it. */
  result?: ReactNode;
}

/** A dialog with a form: its fields scroll, and Cancel and Submit stay in view. */
export function FormDialog({ isPending, error, result, children, ...props }: FormDialogProps) {
  const { submitLabel, isDestructive, onSubmit, onClose, ...dialog } = props;
  const cancel = () => !isPending && onClose();
  return (
    <Dialog {...dialog} onClose={result ? undefined : cancel}>
      {result ?? (
        <form noValidate onSubmit={onSubmit} className="flex min-h-0 flex-col">
          <DialogBody>
            {children}
            <FormError message={error} />
          </DialogBody>
          <DialogFooter>
            <Button onClick={cancel}>Cancel</Button>
            <Button
              type="submit"
              variant={isDestructive ? "danger" : "primary"}
              isPending={isPending}
            >
              {submitLabel}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}

interface AlertDialogProps extends DialogHandlers {
  title: string;
  description: ReactNode;
  /** The button that acts, such as "Delete document". */
  action: string;
  onAction: () => void;
  isPending: boolean;
  /** Why the action failed, if it did. */
  error: string | null | undefined;
}

/** Confirms an action that cannot be undone. Focus starts on Cancel. */
export function AlertDialog({ title, description, isPending, error, ...rest }: AlertDialogProps) {
  return (
    <AlertPrimitive.Root open onOpenChange={(isOpen) => !isOpen && !isPending && rest.onClose()}>
      <AlertPrimitive.Portal>
        <AlertPrimitive.Overlay className={OVERLAY} />
        <AlertPrimitive.Content
          className={cn(PANEL, CENTERED, "sm:max-w-md")}
          onCloseAutoFocus={rest.onCloseAutoFocus}
        >
          <div className="grid gap-2 px-5 py-4">
            <AlertPrimitive.Title className="break-words font-semibold text-base">
              {title}
            </AlertPrimitive.Title>
            <AlertPrimitive.Description className="text-muted">
              {description}
            </AlertPrimitive.Description>
            <FormError message={error} />
          </div>
          <DialogFooter>
            <AlertPrimitive.Cancel asChild>
              <Button>Cancel</Button>
            </AlertPrimitive.Cancel>
            <Button variant="danger" isPending={isPending} onClick={rest.onAction}>
              {rest.action}
            </Button>
          </DialogFooter>
        </AlertPrimitive.Content>
      </AlertPrimitive.Portal>
    </AlertPrimitive.Root>
  );
}
