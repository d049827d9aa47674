import type { StateInline } from "markdown-it";

const LONGEST = 2000;
const ADDRESS = `https?:\\/\\/(?:[^\\s()<>"]|\\([^\\s()<>"]{0,200}\\)){1,${LONGEST}}`;

/** `[words](https://…)`, and a picture likewise; no bracket or line break inside the words. */
const LINK = new RegExp(
  `!?\\[([^\\][\\n]{0,500})\\]\\((${ADDRESS})(?: +"[^"\\n]{0,500}")?\\)`,
  "y",
);
/** `<https://…>` */
const BARE = new RegExp(`<(https?:\\/\\/[^\\s<>]{1,${LONGEST}})>`, "y");

/** A markdown-it rule that only allows web links. Other links and all images stay text. */
export function address(state: StateInline, isSilent: boolean): boolean {
  const found = matchAt(LINK, state) ?? matchAt(BARE, state);
  if (!found) {
    return false;
  }
  const [markup, first = "", second] = found;
  const url = second ?? first;
  if (!URL.canParse(url)) {
    return false;
  }
  if (!isSilent) {
    const token = state.push("address", "", 0);
    token.content = second === undefined ? "" : first;
    token.markup = markup;
    token.info = url;
  }
  state.pos += markup.length;
  return true;
}

function matchAt(pattern: RegExp, { src, pos, posMax }: StateInline): RegExpExecArray | null {
  pattern.lastIndex = pos;
  const found = pattern.exec(src);
  return found && pos + found[0].length <= posMax ? found : null;
}
