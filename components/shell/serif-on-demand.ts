import localFont from "next/font/local";

/** The console's: only some of its pages show cited words, so the browser loads it when one does. */
export const serifOnDemand = localFont({
  src: "../../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2",
  variable: "--font-newsreader",
  weight: "200 800",
  adjustFontFallback: false,
  preload: false,
});
