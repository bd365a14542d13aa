export const ES256 = -7
export const EDDSA = -8
export const RS256 = -257

/** What registrations offer, in the order of preference; a key of any other kind is refused. */
export const offeredAlgorithms = [ES256, EDDSA, RS256]
