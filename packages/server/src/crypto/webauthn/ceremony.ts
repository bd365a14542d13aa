/** What a ceremony has to fit: the relying party, and the challenge that it was begun with. */
export type Expected = {
  rpId: string
  origins: readonly string[]
  requireUserVerification: boolean
  isChallenge(challenge: string): boolean
}

/** In the words of the library that verifies. */
export const verifierOptions = (expected: Expected) => ({
  expectedRPID: expected.rpId,
  expectedOrigin: [...expected.origins],
  // Client data is what the client wrote: the challenge in it may be anything.
  expectedChallenge: (challenge: unknown) =>
    typeof challenge === 'string' && expected.isChallenge(challenge),
  requireUserVerification: expected.requireUserVerification,
})
