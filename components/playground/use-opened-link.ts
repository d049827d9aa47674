"use client";

import { useEffect } from "react";
import { toast } from "@/components/ui/toast";
import type { PlaygroundPreset } from "@/lib/money/keys/playground";
import { pastTurn } from "./conversation";
import { usePlayground } from "./playground-context";
import type { Replay } from "./replay";
import { type Settings, withPreset } from "./settings";
import { readLink } from "./shared-settings";

/**
 * Fills in the question and the settings that the page's address carries, or the request it names, and removes them from
 * the address. Nothing is sent: that costs money.
 */
export function useOpenedLink(replay: Replay | null, chosen: ChosenDocument | null): void {
  const { store, initial } = usePlayground();
  useEffect(() => {
    const open = () => {
      const { hash, pathname, search } = window.location;
      const shared = readLink(hash, initial.settings);
      const prepared = shared ?? (search ? toNamed({ replay, chosen }, initial.settings) : null);
      if (store && prepared) {
        window.history.replaceState(null, "", pathname);
        const hadTurns = store.read().turns.length > 0;
        announce(prepared.question, hadTurns, store.prepare(prepared));
      }
    };
    open();
    window.addEventListener("hashchange", open);
    return () => window.removeEventListener("hashchange", open);
  }, [store, initial, replay, chosen]);
}

/** Says what was filled in, unless the page shows it, and offers the conversation that it replaced. */
function announce(question: string, hadTurns: boolean, undo: () => void): void {
  if (question || hadTurns) {
    const text = question
      ? "Question and settings filled in. Send it when you’re ready."
      : "A new conversation about this document.";
    toast.message(text, hadTurns ? { action: { label: "Undo", onClick: undo } } : {});
  }
}

/** The document that questions are about. */
export interface ChosenDocument {
  id: string;
  title: string;
  preset: PlaygroundPreset;
}

interface Named {
  replay: Replay | null;
  chosen: ChosenDocument | null;
}

/** What the address names: a request to send again, or a document. */
function toNamed({ replay, chosen }: Named, defaults: Settings) {
  if (replay) {
    return toPrepared(replay, defaults);
  }
  return chosen ? toPreparedFor(chosen, defaults) : null;
}

function toPreparedFor({ id, title, preset }: ChosenDocument, defaults: Settings) {
  const about = { document_ids: id, document_title: title };
  return { question: "", settings: { ...withPreset(defaults, preset), ...about }, rival: null };
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
