/** A message names this many. */
export const NAMED = 5

/** The first few names in a list, for a message. */
export const named = (names: readonly (string | number)[]): string =>
  [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ')
