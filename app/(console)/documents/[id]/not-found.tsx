import { NoDocument } from "@/components/documents/no-document";

export default function DocumentNotFound() {
  return <NoDocument />;
}
