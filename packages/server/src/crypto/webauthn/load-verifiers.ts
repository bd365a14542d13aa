/**
 * The verification of passkeys is the largest part of the program, and nothing needs it to start.
 * It is loaded before a challenge is used up: a part that cannot be loaded is our fault, not a
 * refusal, and the client may try again.
 */
export async function loadVerifiers() {
  const [{ verifyAssertion }, { verifyRegistration }] = await Promise.all([
    import('./verify-assertion.ts'),
    import('./verify-registration.ts'),
  ])
  return { verifyAssertion, verifyRegistration }
}

export type Verifiers = Awaited<ReturnType<typeof loadVerifiers>>
