import { NoDocument } from "@/components/documents/missing-document";

export default function DocumentNotFound() {
  return <NoDocument />;
}
