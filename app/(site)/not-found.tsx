import { MissingPage } from "@/components/shell/missing-page";

export default MissingPage;
