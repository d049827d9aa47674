import { listOf, type Settings } from "./settings";

/** Why a setting can't be sent, by its name in `Settings`. */
export type SettingErrors = Partial<Record<keyof Settings, string>>;

const MAX_TYPES = 50;
const MAX_TYPE_LENGTH = 64;
const MAX_DOCUMENTS = 100;

/** Finds what the API would refuse, so that it can be shown beside the field. */
export function checkSettings(settings: Settings): SettingErrors {
  const errors = {
    temperature: checkNumber(settings.temperature, { min: 0, max: 2 }),
    max_tokens: checkNumber(settings.max_tokens, { min: 1, isWhole: true }),
    ...(settings.enabled && checkCitations(settings)),
  };
  return Object.fromEntries(Object.entries(errors).filter(([, message]) => message));
}

function checkCitations(settings: Settings) {
  return {
    top_k: checkNumber(settings.top_k, { min: 1, max: 50, isWhole: true }),
    min_score: checkNumber(settings.min_score, { min: 0, max: 1 }),
    source_types: checkTypes(settings.source_types),
    document_ids:
      listOf(settings.document_ids).length > MAX_DOCUMENTS
        ? `Use at most ${MAX_DOCUMENTS} documents.`
        : null,
    sources: settings.sources.length === 0 ? "Choose at least one." : null,
    on_unsupported:
      settings.on_unsupported === "strip" && settings.verify === "off"
        ? "Needs verification. Turn it on, or keep the citation."
        : null,
  };
}

interface Bounds {
  min: number;
  max?: number;
  isWhole?: boolean;
}

function checkNumber(typed: string, { min, max, isWhole = false }: Bounds): string | null {
  const text = typed.trim();
  const value = Number(text);
  const isFine =
    Number.isFinite(value) &&
    value >= min &&
    value <= (max ?? Number.POSITIVE_INFINITY) &&
    (!isWhole || Number.isInteger(value));
  if (!text || isFine) {
    return null;
  }
  const kind = isWhole ? "a whole number" : "a number";
  return max === undefined
    ? `Use ${kind} of at least ${min}.`
    : `Use ${kind} from ${min} to ${max}.`;
}

function checkTypes(typed: string): string | null {
  const types = typed.split(",").map((type) => type.trim());
  if (types.length > MAX_TYPES) {
    return `Use at most ${MAX_TYPES} types.`;
  }
  return types.some((type) => type.length > MAX_TYPE_LENGTH)
    ? `A type has at most ${MAX_TYPE_LENGTH} characters.`
    : null;
}
