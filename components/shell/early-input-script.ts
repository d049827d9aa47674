/** The page's scripts run now. */
export const READY_EVENT = "footnote:ready";

/**
 * Holds back a click, submit or Ctrl K that comes before the page's scripts, and repeats it once they run; links, menus
 * and folds need none. If a script can't be loaded, the browser does what it can without, such as submitting a form.
 */
export const EARLY_INPUT_SCRIPT = `{
  const uses = ["click", "submit", "keydown"];
  let repeat = () => {};
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
    // React, which may be about to take over the page, would act on it as well.
    event.stopPropagation();
  };
  const release = ({ type, target }) => {
    if (type === "error" && target.tagName !== "SCRIPT") return;
    for (const use of uses) removeEventListener(use, hold, true);
    removeEventListener("error", release, true);
    setTimeout(repeat);
    repeat = () => {};
  };
  for (const use of uses) addEventListener(use, hold, true);
  addEventListener("error", release, true);
  addEventListener("${READY_EVENT}", release, { once: true });
}`;
