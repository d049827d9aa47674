import localFont from "next/font/local";

/** The typeface of headlines and of cited words, on the public pages. */
export const serif = localFont({
  src: "../../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2",
  variable: "--font-newsreader",
  weight: "200 800",
  adjustFontFallback: false,
});
