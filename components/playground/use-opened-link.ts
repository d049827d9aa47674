"use client";

import { useEffect } from "react";
import { toast } from "@/components/ui/toast";
import { pastTurn } from "./conversation";
import { usePlayground } from "./playground-context";
import type { Replay } from "./replay";
import { type Settings, withPreset } from "./settings";
import { readLink } from "./shared-settings";

/**
 * Fills in the question and the settings that the page's address carries, or the request it names, and removes them from
 * the address. Nothing is sent: that costs money.
 */
export function useOpenedLink(replay: Replay | null): void {
  const { store, initial } = usePlayground();
  useEffect(() => {
    const open = () => {
      const { hash, pathname, search } = window.location;
      const shared = readLink(hash, initial.settings);
      const prepared = shared ?? (replay && search ? toPrepared(replay, initial.settings) : null);
      if (store && prepared) {
        window.history.replaceState(null, "", pathname);
        const hadTurns = store.read().turns.length > 0;
        const undo = store.prepare(prepared);
        toast.message("Question and settings filled in. Send it when you’re ready.", {
          ...(hadTurns && { action: { label: "Undo", onClick: undo } }),
        });
      }
    };
    open();
    window.addEventListener("hashchange", open);
    return () => window.removeEventListener("hashchange", open);
  }, [store, initial, replay]);
}

function toPrepared({ question, earlier, ...replay }: Replay, defaults: Settings) {
  const settings: Settings = {
    ...withPreset(defaults, replay.preset),
    model: replay.model,
    system: replay.system,
    enabled: replay.isCited,
  };
  const turns = earlier.map((pair, index) =>
    pastTurn(`${replay.requestId}-${index}`, settings, pair),
  );
  return { question, settings, rival: null, turns };
}
