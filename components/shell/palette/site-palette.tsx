"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import type { Action } from "./entries";
import { PaletteDialog } from "./palette-dialog";
import { useSiteResults } from "./search-results";

interface SitePaletteProps extends DialogHandlers {
  onChoose: (action: Action) => void;
}

/** Finds the site's pages and the documentation. */
export function SitePalette(props: SitePaletteProps) {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <SiteSearchDialog {...props} />
    </QueryClientProvider>
  );
}

function SiteSearchDialog(props: SitePaletteProps) {
  const [text, setText] = useState("");
  return (
    <PaletteDialog
      {...props}
      text={text}
      onText={setText}
      results={useSiteResults(text)}
      note="Searches the documentation"
      advice="Try other words, an endpoint, a field or an error code."
    />
  );
}
