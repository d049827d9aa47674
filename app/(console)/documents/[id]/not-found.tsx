import { NoDocument } from "@/components/documents/missing-document";

export default NoDocument;
