import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(@\/lib\/[^"]+|\.{1,2}\/[^"]+)"/g;

/** Folders of lib that have rooms of their own; every other folder of lib is a room. From the top down. */
const WINGS = ["operations", "answers", "library", "money", "platform"];
const LAYERS = [...WINGS.slice(0, 3), "models", ...WINGS.slice(3), "reading", "evidence", "text"];

/** Every room of lib by its path there, with the rooms it imports. A file beside rooms counts as one; `floor` is lib's own files. */
export function roomImports(): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  const files = globSync("lib/**/*.{ts,mjs}", { cwd: root });
  for (const file of files.filter(isProduct)) {
    const room = roomOf(file);
    const imported = rooms.get(room) ?? new Set();
    for (const [, target = ""] of readFileSync(path.join(root, file), "utf8").matchAll(IMPORT)) {
      const name = target.startsWith("@/") ? target.slice(2) : path.join(file, "..", target);
      const other = roomOf(name);
      if (name.startsWith("lib/") && other !== room && other !== "generated") {
        imported.add(other);
      }
    }
    rooms.set(room, imported);
  }
  return rooms;
}

/** What a room's README says of its imports, from the top layer down: "library (documents), platform (auth, env), the floor". */
export function describeImports(imported: ReadonlySet<string>): string {
  const parts = LAYERS.flatMap((layer) => {
    const inside = [...imported].filter((room) => room.startsWith(`${layer}/`)).sort();
    const names = inside.map((room) => room.slice(layer.length + 1));
    return names.length > 0
      ? [`${layer} (${names.join(", ")})`]
      : imported.has(layer)
        ? [layer]
        : [];
  });
  const all = imported.has("floor") ? [...parts, "the floor"] : parts;
  return all.length > 0 ? `${all.join(", ")}.` : "nothing.";
}

/** A circle of rooms, if there is one. */
export function findCircle(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const visit = (room: string, above: string[]): string[] | null => {
    if (above.includes(room)) {
      return [...above.slice(above.indexOf(room)), room];
    }
    for (const other of done.has(room) ? [] : (rooms.get(room) ?? [])) {
      const circle = visit(other, [...above, room]);
      if (circle) {
        return circle;
      }
    }
    done.add(room);
    return null;
  };
  return [...rooms.keys()].map((room) => visit(room, [])).find((circle) => circle !== null) ?? null;
}

function isProduct(file: string): boolean {
  return !/\.test\.ts$|^lib\/(testing|generated)\//.test(file);
}

/** `name` is a file's path, perhaps without its extension. */
function roomOf(name: string): string {
  const [, wing = "", room = "", file] = name.split("/");
  if (!room) {
    return "floor";
  }
  return WINGS.includes(wing)
    ? `${wing}/${file === undefined ? room.replace(/\.ts$/, "") : room}`
    : wing;
}
