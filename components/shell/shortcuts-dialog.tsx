"use client";

import { Checkbox } from "@/components/ui/choice";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import { useSingleKeys } from "./hotkeys";
import { KeyCaps } from "./key-caps";
import { useChord } from "./platform";
import { SHORTCUTS, type Shortcut } from "./shortcuts";

interface ShortcutsDialogProps {
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** All shortcuts, and the way to switch those of single keys off. */
export function ShortcutsDialog(props: ShortcutsDialogProps) {
  const [hasSingleKeys, chooseSingleKeys] = useSingleKeys();
  const [modifier] = useChord("k");
  return (
    <Dialog title="Keyboard shortcuts" {...props}>
      <DialogBody>
        {SHORTCUTS.map(({ group, shortcuts }) => (
          <section key={group} aria-label={group} className="grid gap-1">
            <h3 className="font-medium text-muted text-xs">{group}</h3>
            <dl className="grid divide-y">
              {shortcuts.map((shortcut) => (
                <Row
                  key={shortcut.name}
                  shortcut={shortcut}
                  modifier={modifier}
                  isOff={!hasSingleKeys && !shortcut.isChord}
                />
              ))}
            </dl>
          </section>
        ))}
        <Checkbox
          label="Shortcuts of single keys"
          description={`Switch them off where keys are pressed unintended, as by speech input. ${modifier} K stays, and nothing is taken while you type.`}
          checked={hasSingleKeys}
          onChange={({ target }) => chooseSingleKeys(target.checked)}
          className="border-t pt-4"
        />
      </DialogBody>
    </Dialog>
  );
}

interface RowProps {
  shortcut: Shortcut;
  modifier: string;
  isOff: boolean;
}

function Row({ shortcut: { name, keys, isChord }, modifier, isOff }: RowProps) {
  const caps = keys.map((key) => key.toUpperCase());
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 py-1.5">
      <dt className={isOff ? "text-muted" : undefined}>{name}</dt>
      <dd>
        {isOff ? (
          <span className="text-muted text-xs">Off</span>
        ) : (
          <KeyCaps keys={isChord ? [modifier, ...caps] : caps} between={isChord ? "" : "then"} />
        )}
      </dd>
    </div>
  );
}
