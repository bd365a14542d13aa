export const ES256 = -7
export const EDDSA = -8
export const RS256 = -257

/** The algorithms that a registration offers, best first. Keys of other algorithms are refused. */
export const offeredAlgorithms = [ES256, EDDSA, RS256]
