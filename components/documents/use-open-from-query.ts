"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/** How often the page's address, by `?upload=1`, asked to upload since the page was opened. */
export function useAskedUpload(): number {
  const isAsked = useSearchParams().get("upload") === "1";
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (isAsked) {
      // It leaves the address, so that it can be asked again.
      window.history.replaceState(null, "", window.location.pathname);
      setTimes((before) => before + 1);
    }
  }, [isAsked]);
  return times;
}
