import japanese from "opencc-js/dict/JPShinjitaiCharactersRev";
import chinese from "opencc-js/dict/TSCharacters";

/** The entries of a table of traditional characters, each with its simplified form, of several the most common. */
function entriesOf(table: string): [string, string][] {
  return table.split("|").map((entry) => entry.split(" ", 2) as [string, string]);
}

const TRADITIONAL = new Map(entriesOf(japanese).map(([old, simple]) => [simple, old]));
const SIMPLIFIED = new Map(entriesOf(chinese));

/** The simplified form of a Chinese character, whether it is a traditional or a Japanese one. */
export function plainHan(character: string): string {
  const traditional = TRADITIONAL.get(character) ?? character;
  return SIMPLIFIED.get(traditional) ?? traditional;
}
