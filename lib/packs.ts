import contrasts from "@/knowledge/medical/contrasts.json" with { type: "json" };
import emergencies from "@/knowledge/medical/emergencies.json" with { type: "json" };
import names from "@/knowledge/medical/names.json" with { type: "json" };
import questions from "@/knowledge/medical/questions.json" with { type: "json" };
import subjects from "@/knowledge/medical/subjects.json" with { type: "json" };
import synonyms from "@/knowledge/medical/synonyms.json" with { type: "json" };
import units from "@/knowledge/medical/units.json" with { type: "json" };
import words from "@/knowledge/medical/words.json" with { type: "json" };
import { PACKS, type Pack } from "./pack-names";

// Vocabulary of a field of knowledge. knowledge/README.md says how to write another pack.

const FILES = {
  medical: { contrasts, emergencies, names, questions, subjects, synonyms, units, words },
} satisfies Record<Pack, object>;
type PackFiles = (typeof FILES)[Pack];

/** A file's members. Lists of words, which are one text there, are arrays. */
type Members<File> = { [Field in keyof File]: File[Field] extends string ? string[] : File[Field] };

/** A file of a pack. */
export function readPack<Name extends keyof PackFiles>(
  pack: Pack,
  name: Name,
): Members<PackFiles[Name]> {
  const members = Object.entries(FILES[pack][name]).map(([field, value]) => [
    field,
    typeof value === "string" ? value.split(" ") : value,
  ]);
  return Object.fromEntries(members);
}

/**
 * A file merged from all packs, for what doesn't depend on a collection: which stems are the same, or how sentences are
 * compared.
 */
export function readPacks<Name extends keyof PackFiles>(name: Name): Members<PackFiles[Name]> {
  const merged: Record<string, unknown> = {};
  for (const [field, values] of PACKS.flatMap((pack) => Object.entries(readPack(pack, name)))) {
    const before = merged[field];
    merged[field] = Array.isArray(values)
      ? values.concat(before ?? [])
      : Object.assign({}, before, values);
  }
  return merged as Members<PackFiles[Name]>;
}
