"use client";

import { Checkbox } from "@/components/ui/choice";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { KeyCaps } from "./key-caps";
import { SHORTCUTS } from "./shortcuts";
import { useChord } from "./use-chord";
import { useSingleKeys } from "./use-shortcuts";

/** Lists all shortcuts. Those of single keys can be turned off. */
export function ShortcutsDialog(props: DialogHandlers) {
  const [hasSingleKeys, chooseSingleKeys] = useSingleKeys();
  const [modifier] = useChord("k");
  return (
    <Dialog title="Keyboard shortcuts" {...props}>
      <DialogBody>
        {SHORTCUTS.map(({ group, shortcuts }) => (
          <section key={group} aria-label={group} className="grid gap-1">
            <h3 className="font-medium text-muted text-xs">{group}</h3>
            <dl className="grid divide-y">
              {shortcuts.map(({ name, keys, isChord }) => {
                const caps = keys.map((key) => key.toUpperCase());
                const isOff = !hasSingleKeys && !isChord;
                return (
                  <div
                    key={name}
                    className="flex min-h-9 items-center justify-between gap-4 py-1.5"
                  >
                    <dt className={isOff ? "text-muted" : undefined}>{name}</dt>
                    <dd className={isOff ? "text-muted text-xs" : undefined}>
                      {isOff && "Off"}
                      {!isOff && isChord && <KeyCaps keys={[modifier, ...caps]} />}
                      {!isOff && !isChord && <KeyCaps keys={caps} between="then" />}
                    </dd>
                  </div>
                );
              })}
            </dl>
          </section>
        ))}
        <Checkbox
          label="Single-key shortcuts"
          description={`Turn these off if keys get pressed by accident, for example by speech input. ${modifier} K always works, and typing in a field never triggers a shortcut.`}
          checked={hasSingleKeys}
          onChange={({ target }) => chooseSingleKeys(target.checked)}
          className="border-t pt-4"
        />
      </DialogBody>
    </Dialog>
  );
}
