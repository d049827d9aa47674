"use client";

import { useState } from "react";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useTheme } from "../theme";
import type { Action } from "./entries";
import { PaletteDialog } from "./palette-dialog";
import { useSearchResults } from "./search-results";

interface PaletteProps extends DialogHandlers {
  onChoose: (action: Action) => void;
}

/** Finds pages, actions, keys, documents and the documentation. */
export function Palette(props: PaletteProps) {
  const [text, setText] = useState("");
  const [theme] = useTheme();
  return (
    <PaletteDialog
      {...props}
      text={text}
      onText={setText}
      results={useSearchResults(text, theme)}
      note="Searches documents, keys and docs too"
      advice="Try another page, action, document title, key name or words from the docs."
    />
  );
}
