import localFont from "next/font/local";

/** The typeface of the interface. Its own fallbacks are in fallback-fonts.ts. */
export const sans = localFont({
  src: "../../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-geist-sans",
  weight: "100 900",
  adjustFontFallback: false,
});
