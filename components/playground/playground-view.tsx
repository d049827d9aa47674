"use client";

import {
  Columns2,
  History,
  Link2,
  type LucideIcon,
  MessageSquareQuote,
  RotateCcw,
  SlidersHorizontal,
} from "lucide-react";
import { type ComponentProps, lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useDialog } from "@/components/ui/use-dialog";
import type { DocumentOutline } from "@/lib/library/documents/read/outline";
import { Composer } from "./composer";
import type { Run, Side } from "./conversation";
import { toExamples } from "./examples";
import { EMPTY, EXAMPLES, PLAYGROUND_PAGE } from "./labels";
import { PlaygroundContext, usePlayground } from "./playground-context";
import type { Replay } from "./replay";
import type { ModelChoice } from "./settings-form";
import { SettingsPanel } from "./settings-panel";
import { toLink } from "./shared-settings";
import { initialState, storeOf } from "./store";
import { type ChosenDocument, useOpenedLink } from "./use-opened-link";

// Ready before the first question is sent: half of the page's own scripts.
const loadConversation = () => import("./conversation-view");
const ConversationView = lazy(async () => ({
  default: (await loadConversation()).ConversationView,
}));
// Loaded when first opened.
const SettingsDialog = lazy(async () => ({ default: (await import("./dialogs")).SettingsDialog }));
const CodeDialog = lazy(async () => ({ default: (await import("./dialogs")).CodeDialog }));
const HistoryDialog = lazy(async () => ({
  default: (await import("./history-dialog")).HistoryDialog,
}));

type OpenDialog = { kind: "settings" } | { kind: "history" } | { kind: "code"; run: Run };

interface PlaygroundViewProps {
  /** The member's id. Conversations are private to one member. */
  member: string;
  models: readonly ModelChoice[];
  /** Of the newest documents, for examples. */
  outlines: readonly DocumentOutline[];
  /** A request to send again. */
  replay: Replay | null;
  /** A document to ask about. */
  chosen: ChosenDocument | null;
}

/** Chat with every request setting, and citations you can check. */
export function PlaygroundView({ member, models, ...opened }: PlaygroundViewProps) {
  const model = models.find(({ isDefault }) => isDefault)?.id ?? models[0]?.id ?? "";
  const composer = useRef<HTMLTextAreaElement>(null);
  const playground = useMemo(
    () => ({ store: storeOf(member, model), initial: initialState(model), composer }),
    [member, model],
  );
  return (
    <PlaygroundContext value={playground}>
      <Page models={models} {...opened} />
    </PlaygroundContext>
  );
}

function Page({ models, outlines, replay, chosen }: Omit<PlaygroundViewProps, "member">) {
  const { state } = usePlayground();
  const { open, show, handlers } = useDialog<OpenDialog>();
  const [side, setSide] = useState<Side>("main");
  const panel = useRef<HTMLElement>(null);
  useOpenedLink(replay, chosen);
  useEffect(() => void loadConversation().catch(() => undefined), []);
  const showSettings = (invalid: Side) => {
    setSide(invalid);
    if (panel.current?.offsetParent) {
      requestAnimationFrame(() => focusInvalid(panel.current));
    } else {
      show({ kind: "settings" });
    }
  };
  const settings = <SettingsPanel models={models} side={side} onSide={setSide} />;
  return (
    <>
      <Header
        models={models}
        onShowSettings={() => show({ kind: "settings" })}
        onShowHistory={() => show({ kind: "history" })}
        onCompare={() => setSide("rival")}
      />
      <div className="grid gap-x-8 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-h-[calc(100dvh-11.75rem)] min-w-0 flex-col">
          <div className="grid flex-1 content-start gap-8 pb-6">
            {state.turns.length === 0 ? (
              <EmptyState
                icon={MessageSquareQuote}
                {...EMPTY}
                action={<Examples outlines={outlines} />}
              />
            ) : (
              <Suspense>
                <ConversationView onShowCode={(run) => show({ kind: "code", run })} />
              </Suspense>
            )}
          </div>
          <Composer onShowSettings={showSettings} />
        </div>
        <aside
          ref={panel}
          aria-label="Settings"
          // The outer box keeps its round corners while the inner one scrolls.
          className="sticky top-18 hidden max-h-[calc(100dvh-11.75rem)] self-start overflow-hidden rounded-lg border bg-surface xl:flex"
        >
          <div className="min-w-0 flex-1 overflow-y-auto p-4 [scrollbar-width:thin]">
            {settings}
          </div>
        </aside>
      </div>
      <Suspense>
        {open?.kind === "settings" && <SettingsDialog {...handlers}>{settings}</SettingsDialog>}
        {open?.kind === "history" && <HistoryDialog {...handlers} />}
        {open?.kind === "code" && <CodeDialog run={open.run} {...handlers} />}
      </Suspense>
    </>
  );
}

/** Focuses the first invalid setting, in a group that may be folded. */
function focusInvalid(panel: HTMLElement | null): void {
  for (const group of panel?.querySelectorAll("details") ?? []) {
    group.open ||= group.querySelector("[aria-invalid], [data-invalid]") !== null;
  }
  panel?.querySelector<HTMLElement>("[aria-invalid], [data-invalid] input")?.focus();
}

/** Questions about the newest documents, or about the public sample when there are none. */
function Examples({ outlines }: Pick<PlaygroundViewProps, "outlines">) {
  const { state, store } = usePlayground();
  const own = toExamples(outlines, state.settings.preset);
  return (
    <div className="grid justify-items-center gap-2">
      {own.length > 0 && <p className="text-muted text-xs">From your newest documents</p>}
      <ul aria-label="Examples" className="flex max-w-2xl flex-wrap justify-center gap-2">
        {(own.length > 0 ? own : EXAMPLES).map((question) => (
          <li key={question} className="min-w-0">
            <Button
              className="h-auto min-h-8 max-w-full whitespace-normal py-1 text-left [overflow-wrap:anywhere]"
              onClick={() => void store?.send(question)}
            >
              {question}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface HeaderProps {
  models: readonly ModelChoice[];
  onShowSettings: () => void;
  onShowHistory: () => void;
  /** Two settings are compared from now on. */
  onCompare: () => void;
}

function Header({ models, onShowSettings, onShowHistory, onCompare }: HeaderProps) {
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
