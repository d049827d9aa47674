/** The local origin used in the Markdown sources. Readers see their page's origin instead. */
export const LOCAL_ADDRESS = "http://localhost:3000";
