/**
 * Loads the verification of passkeys on demand: it is the largest part of the program. Callers
 * load it before they use up a challenge. If loading fails, the client can try again with the same
 * challenge.
 */
export async function loadVerifiers() {
  const [{ verifyAssertion }, { verifyRegistration }] = await Promise.all([
    import('./verify-assertion.ts'),
    import('./verify-registration.ts'),
  ])
  return { verifyAssertion, verifyRegistration }
}

export type Verifiers = Awaited<ReturnType<typeof loadVerifiers>>
