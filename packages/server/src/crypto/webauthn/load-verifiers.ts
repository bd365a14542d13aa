/**
 * The verification of passkeys is the largest part of the program, and the start does not need it.
 * Callers load it before they use up a challenge. If loading fails, that is our fault: the client
 * can try again with the same challenge.
 */
export async function loadVerifiers() {
  const [{ verifyAssertion }, { verifyRegistration }] = await Promise.all([
    import('./verify-assertion.ts'),
    import('./verify-registration.ts'),
  ])
  return { verifyAssertion, verifyRegistration }
}

export type Verifiers = Awaited<ReturnType<typeof loadVerifiers>>
