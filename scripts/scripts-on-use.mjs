/** On the frame of pages whose scripts may wait. The data of other pages, which have forms, names it without quotes. */
const MARK = 'data-scripts-on-use="true"';
const SCRIPT = /<script src="([^"]+)"(?=[^>]* async="")[^>]*><\/script>/g;
const PRELOAD = /<link rel="preload" as="script"[^>]*>/g;
const NONCE = /<script src="[^>]* nonce="([^"]+)"/;
/** What React needs to take over the page: about as large as the page itself. */
const DATA = /<script>(\(?self\.__next_f[^<]*)<\/script>/g;

/**
 * The page with a loader in place of its scripts; any other page as it is. `storeData` stores the page's data as a script
 * and returns its path; without it, the data stays in the page.
 */
export function deferScripts(html, storeData) {
  const sources = [...html.matchAll(SCRIPT)].map(([, source]) => source);
  if (sources.length === 0 || !html.includes(MARK)) {
    return html;
  }
  const data = storeData ? [...html.matchAll(DATA)].map(([, script]) => script) : [];
  if (data.length > 0) {
    // In front of Next, which takes what is there when it starts as the whole.
    sources.unshift(storeData(data.join(";\n")));
  }
  // The CSP allows it like the page's other inline scripts: by hash, or by the request's nonce.
  const nonce = NONCE.exec(html)?.[1];
  const loader = `<script${nonce ? ` nonce="${nonce}"` : ""}>(${loadOnUse})(${JSON.stringify(sources)})</script>`;
  return html
    .replaceAll(SCRIPT, "")
    .replaceAll(PRELOAD, "")
    .replaceAll(DATA, (script) => (data.length > 0 ? "" : script))
    .replace("</head>", () => `${loader}</head>`);
}

/** Runs in the page. Scrolling is no sign: the page scrolls to a quote by itself. */
function loadOnUse(sources) {
  const signs = [
    "pointermove",
    "pointerdown",
    "touchstart",
    "wheel",
    "keydown",
    "focusin",
    "click",
  ];
  const load = (event) => {
    // The browser's own doing.
    if (event?.type === "focusin" && event.target.matches("[autofocus]")) {
      return;
    }
    for (const sign of signs) {
      removeEventListener(sign, load, true);
    }
    for (const source of sources.splice(0)) {
      // In their order: the page's data comes first.
      const script = document.createElement("script");
      document.head.append(Object.assign(script, { src: source, async: false }));
    }
  };
  for (const sign of signs) {
    addEventListener(sign, load, true);
  }
  try {
    // The page shows the first language and the system's theme as chosen; what was chosen before can't wait.
    if (localStorage.getItem("footnote:language") || localStorage.getItem("theme")) {
      load();
    }
  } catch {
    // Storage may be disabled.
  }
}
