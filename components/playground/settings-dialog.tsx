"use client";

import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { type ModelChoice, SettingsForm } from "./settings-form";

interface SettingsDialogProps extends DialogHandlers {
  models: readonly ModelChoice[];
}

/** The settings, when they don't fit beside the conversation. */
export function SettingsDialog({ models, onClose, onCloseAutoFocus }: SettingsDialogProps) {
  return (
    <Dialog title="Settings" onClose={onClose} onCloseAutoFocus={onCloseAutoFocus}>
      <DialogBody>
        <SettingsForm models={models} />
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
