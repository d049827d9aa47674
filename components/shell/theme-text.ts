/** Applies the stored theme. Backticks, because React escapes quotes inside script text. */
export const THEME_SCRIPT =
  "try{const t=localStorage.getItem(`theme`);if(t)document.documentElement.dataset.theme=t}catch{}";
