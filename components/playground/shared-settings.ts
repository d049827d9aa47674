import { isFilterForm } from "@/components/documents/filter-form";
import { PLAYGROUND_KNOWLEDGE, PLAYGROUND_PRESETS } from "@/lib/money/keys/playground";
import { CHOICES } from "./labels";
import type { Settings } from "./settings";

const PREFIX = "#try=";
/** A longer address is cut by some programs. */
const MAX_LENGTH = 8000;

/** What a link to the playground carries: no answer, and no key. */
export interface SharedSettings {
  question: string;
  settings: Settings;
  rival: Settings | null;
}

/**
 * The address of the playground with a question and its settings. They are in the fragment, which browsers don't send to
 * the server. Null when it would be too long to share.
 */
export function toLink(origin: string, shared: SharedSettings): string | null {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const link = `${origin}/playground${PREFIX}${encodeURIComponent(text)}`;
  return link.length <= MAX_LENGTH ? link : null;
}

/** Reads a link's fragment; null when it carries nothing usable. What isn't a setting is ignored. */
export function readLink(fragment: string, defaults: Settings): SharedSettings | null {
  const value = fragment.startsWith(PREFIX) ? decode(fragment.slice(PREFIX.length)) : null;
  if (!isRecord(value) || typeof value.question !== "string") {
    return null;
  }
  return {
    question: value.question,
    settings: toSettings(value.settings, defaults),
    rival: isRecord(value.rival) ? toSettings(value.rival, defaults) : null,
  };
}

function decode(text: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(decodeURIComponent(text)), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function toSettings(value: unknown, defaults: Settings): Settings {
  const fields = isRecord(value) ? value : {};
  const known = Object.entries(defaults).map(([name, preset]) => [
    name,
    isSetting(name, fields[name], preset) ? fields[name] : preset,
  ]);
  const settings: Settings = Object.fromEntries(known);
  const scopes = PLAYGROUND_KNOWLEDGE[settings.preset];
  // Storing answers is the reader's choice.
  return {
    ...settings,
    store: false,
    sources: scopes.filter((scope) => settings.sources.includes(scope)),
  };
}

function isSetting(name: string, value: unknown, preset: unknown): boolean {
  if (name === "preset") {
    return PLAYGROUND_PRESETS.some((one) => one === value);
  }
  if (name === "filters") {
    return isFilterForm(value);
  }
  if (name in CHOICES) {
    const { options } = CHOICES[name as keyof typeof CHOICES];
    return typeof value === "string" && Object.hasOwn(options, value);
  }
  return Array.isArray(preset) ? Array.isArray(value) : typeof value === typeof preset;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
