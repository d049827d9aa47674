"use client";

import {
  Columns2,
  History,
  Link2,
  type LucideIcon,
  RotateCcw,
  SlidersHorizontal,
} from "lucide-react";
import type { ComponentProps } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { PLAYGROUND_PAGE } from "./labels";
import { usePlayground } from "./playground-context";
import type { ModelChoice } from "./settings-form";
import { toLink } from "./shared-settings";

interface HeaderProps {
  models: readonly ModelChoice[];
  onShowSettings: () => void;
  onShowHistory: () => void;
  /** Two settings are compared from now on. */
  onCompare: () => void;
}

export function Header({ models, onShowSettings, onShowHistory, onCompare }: HeaderProps) {
  const { state, store } = usePlayground();
  const { settings, rival, turns } = state;
  const compare = () => {
    if (rival) {
      store?.change({ rival: null });
      return;
    }
    const other = models.find(({ id }) => id !== settings.model)?.id ?? settings.model;
    store?.change({ rival: { ...settings, model: other } });
    onCompare();
  };
  const clear = () => {
    const undo = store?.clear();
    toast.message("Conversation cleared.", { action: { label: "Undo", onClick: () => undo?.() } });
  };
  return (
    <PageHeader
      {...PLAYGROUND_PAGE}
      actions={
        <div className="flex flex-wrap gap-2">
          <Action
            icon={SlidersHorizontal}
            name="Settings"
            className="xl:hidden"
            onClick={onShowSettings}
          />
          <Action
            icon={Columns2}
            name="Compare"
            aria-pressed={rival !== null}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
            onClick={compare}
          />
          <Action icon={History} name="History" onClick={onShowHistory} />
          <CopyLink />
          {turns.length > 0 && <Action icon={RotateCcw} name="New conversation" onClick={clear} />}
        </div>
      }
    />
  );
}

function CopyLink() {
  const { state } = usePlayground();
  const copy = async () => {
    const question = state.draft.trim() || (state.turns.at(-1)?.question ?? "");
    const { settings, rival } = state;
    const link = toLink(window.location.origin, { question, settings, rival });
    if (!link) {
      toast.error("The question or the system message is too long for a link.");
      return;
    }
    await navigator.clipboard.writeText(link).then(
      () =>
        toast.success("Link copied. It includes the question and settings, but no answer or key."),
      () => toast.error("Couldn’t copy the link."),
    );
  };
  return <Action icon={Link2} name="Copy link" onClick={() => void copy()} />;
}

interface ActionProps extends ComponentProps<typeof Button> {
  icon: LucideIcon;
  name: string;
}

/** A button whose name is hidden on phones. */
function Action({ icon: Icon, name, ...button }: ActionProps) {
  return (
    <Button {...button} title={name}>
      <Icon aria-hidden />
      <span className="max-sm:sr-only">{name}</span>
    </Button>
  );
}
