// A step of `npm run build`. Prerendered public pages can be read without scripts, so theirs load when the reader first
// does something: React and Next's router alone are 113 kB.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./install.mjs";

const FOLDER = path.join(root, ".next/server/app");
/** On the frame of pages whose scripts may wait. The data of other pages, which have forms, names it without quotes. */
const MARK = 'data-scripts-on-use="true"';
const SCRIPT = /<script src="([^"]+)" async=""><\/script>/g;
const PRELOAD = /<link rel="preload" as="script"[^>]*>/g;

/** The page with a loader in place of its scripts; any other page as it is. */
export function deferScripts(html) {
  const sources = [...html.matchAll(SCRIPT)].map(([, source]) => source);
  if (sources.length === 0 || !html.includes(MARK)) {
    return html;
  }
  // The CSP allows it by hash, like the page's other inline scripts.
  const loader = `<script>(${loadOnUse})(${JSON.stringify(sources)})</script>`;
  return html
    .replaceAll(SCRIPT, "")
    .replaceAll(PRELOAD, "")
    .replace("</head>", () => `${loader}</head>`);
}

/**
 * Runs in the page. A click, submit or search shortcut that comes before the scripts is repeated once they run; links,
 * menus and folds need none.
 */
function loadOnUse(sources) {
  const signs = ["pointermove", "pointerdown", "touchstart", "wheel", "scroll", "keydown"];
  const uses = ["click", "submit", "keydown"];
  let repeat = () => {};
  const load = (event) => {
    // A part of the page may be scrolled from the start.
    if (event?.type === "scroll" && event.target instanceof Element) {
      return;
    }
    for (const sign of [...signs, "focusin", "click"]) {
      removeEventListener(sign, load, true);
    }
    for (const source of sources.splice(0)) {
      document.head.append(Object.assign(document.createElement("script"), { src: source }));
    }
  };
  const hold = (event) => {
    const { type, target } = event;
    const control = target.closest?.("button:not([popovertarget],[type=submit]),input[type=radio]");
    if (type === "click" && control) {
      repeat = () => control.click();
    } else if (type === "submit") {
      repeat = () => target.requestSubmit();
    } else if (type === "keydown" && event.key === "k" && (event.ctrlKey || event.metaKey)) {
      repeat = () => target.dispatchEvent(new KeyboardEvent(type, event));
    } else {
      return;
    }
    event.preventDefault();
  };
  for (const sign of [...signs, "focusin", "click"]) {
    addEventListener(sign, load, true);
  }
  for (const use of uses) {
    addEventListener(use, hold, true);
  }
  addEventListener("footnote:ready", () => {
    for (const use of uses) {
      removeEventListener(use, hold, true);
    }
    setTimeout(repeat);
  });
  try {
    // The page shows the first language and the system's theme as chosen; what was chosen before can't wait.
    if (localStorage.getItem("footnote:language") || localStorage.getItem("theme")) {
      load();
    }
  } catch {
    // Storage may be disabled.
  }
}

if (import.meta.filename === process.argv[1]) {
  const names = await readdir(FOLDER, { recursive: true });
  for (const name of names.filter((each) => each.endsWith(".html"))) {
    const file = path.join(FOLDER, name);
    const html = await readFile(file, "utf8");
    await writeFile(file, deferScripts(html));
  }
}
