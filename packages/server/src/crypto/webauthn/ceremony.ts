/** What a ceremony must match: the relying party, and the challenge that began it. */
export type Expected = {
  rpId: string
  origins: readonly string[]
  requireUserVerification: boolean
  isChallenge(challenge: string): boolean
}

/** The same as options of the library. */
export const verifierOptions = (expected: Expected) => ({
  expectedRPID: expected.rpId,
  expectedOrigin: [...expected.origins],
  // The client writes the client data, so the challenge in it can be any value.
  expectedChallenge: (challenge: unknown) =>
    typeof challenge === 'string' && expected.isChallenge(challenge),
  requireUserVerification: expected.requireUserVerification,
})
