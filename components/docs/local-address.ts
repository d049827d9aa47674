/** Where a start on one's own machine answers, as the pages write it; readers see the address they came from. */
export const LOCAL_ADDRESS = "http://localhost:3000";
