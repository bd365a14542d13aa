/** Where the build puts the hosted pages: beside `dist/main.js`, also for a start from the sources. */
export const BUILT_PAGES = new URL('../dist/pages/', import.meta.url)

/** Where it puts the page of the API: what a browser loads for it. */
export const BUILT_API_PAGE = new URL('../dist/api-page/', import.meta.url)
