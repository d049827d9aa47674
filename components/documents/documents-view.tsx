"use client";

import { lazy, Suspense, useState } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { Tabs } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import type { LibraryFilter } from "@/lib/documents/client";
import type { LibraryPage } from "@/lib/documents/library-schema";
import { DOCUMENTS_PAGE } from "./labels";
import { Library } from "./library";
import { DropTarget, UploadArea } from "./upload-area";
import type { UploadScope } from "./upload-queue";
import { useAskedUpload } from "./use-open-from-query";
import { useSearchPanel } from "./use-search-panel";
import { useUploads } from "./use-uploads";

// Most visits look at the list.
const UploadList = lazy(async () => ({ default: (await import("./upload-list")).UploadList }));
const SearchPanel = lazy(async () => ({ default: (await import("./search-panel")).SearchPanel }));

interface DocumentsViewProps {
  initial: { page: LibraryPage; filter: LibraryFilter };
  sourceTypes: readonly string[];
  /** The largest file that is taken. */
  maxBytes: number;
  /** What a search costs, in US dollars. */
  searchUsd: string;
}

/** The page of the documents: uploading, the list, and a search in what they say. */
export function DocumentsView({ initial, sourceTypes, maxBytes, searchUsd }: DocumentsViewProps) {
  const search = useSearchPanel();
  const timesAsked = useAskedUpload();
  return (
    <>
      <PageHeader {...DOCUMENTS_PAGE} />
      {/* Asked to upload, the page comes back to its first tab. */}
      <Tabs
        key={timesAsked}
        label="Documents"
        tabs={[
          {
            id: "library",
            label: "Documents",
            content: (
              <Files
                initial={initial}
                sourceTypes={sourceTypes}
                maxBytes={maxBytes}
                isAsked={timesAsked > 0}
              />
            ),
          },
          {
            id: "search",
            label: "Search",
            content: (
              <Suspense>
                <SearchPanel panel={search} searchUsd={searchUsd} />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  );
}

interface FilesProps extends Omit<DocumentsViewProps, "searchUsd"> {
  /** The page was opened in order to upload. */
  isAsked: boolean;
}

function Files({ initial, sourceTypes, maxBytes, isAsked }: FilesProps) {
  const { uploads, queue } = useUploads();
  const [scope, setScope] = useState<UploadScope>("customer_kb");
  const add = (files: File[]) => queue.add(files, scope, maxBytes);
  return (
    <DropTarget onFiles={add} onFolder={formatNoFolders}>
      <div className="grid gap-4 pt-2">
        <UploadArea
          scope={scope}
          onScope={setScope}
          onFiles={add}
          maxBytes={maxBytes}
          isAsked={isAsked}
        />
        <Suspense>{uploads.length > 0 && <UploadList uploads={uploads} queue={queue} />}</Suspense>
        <Library initial={initial} sourceTypes={sourceTypes} />
      </div>
    </DropTarget>
  );
}

function formatNoFolders(): void {
  toast.error("A folder cannot be dropped. Open it, and drop the files in it.");
}
