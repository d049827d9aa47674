/**
 * Says that the browser has a session cookie, which scripts can't read. It lets prerendered pages link to the console
 * instead of the sign-in; it grants nothing.
 */
export const SESSION_HINT = "footnote-member";

/** Applies the stored theme and the session hint. Backticks, because React escapes quotes inside script text. */
export const FIRST_PAINT_SCRIPT = `try{const d=document.documentElement.dataset;if(document.cookie.includes(\`${SESSION_HINT}=1\`))d.member=\`\`;const t=localStorage.getItem(\`theme\`);if(t)d.theme=t}catch{}`;
