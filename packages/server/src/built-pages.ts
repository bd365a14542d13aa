/** Where the build puts the hosted pages: beside `dist/main.js`, also for a start from the sources. */
export const BUILT_PAGES = new URL('../dist/pages/', import.meta.url)
