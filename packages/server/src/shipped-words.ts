/** The words of all languages but English, in the sources and in the package. */
export const SHIPPED_WORDS = new URL('../words/', import.meta.url)
