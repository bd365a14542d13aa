import type { VirtualPasskey } from './virtual-passkey.ts'

/** As much of a browser context of Playwright as is needed, so that any version fits. */
type Context<Page> = {
  newCDPSession(page: Page): Promise<{ send(method: never, params?: never): Promise<unknown> }>
}

/** Adds an authenticator that always agrees to the browser, with this passkey if there is one. */
export async function addToBrowser<Page>(
  context: Context<Page>,
  page: Page,
  passkey: VirtualPasskey | null,
): Promise<void> {
  const session = await context.newCDPSession(page)
  const send = (method: string, params: object = {}) =>
    session.send(method as never, params as never) as Promise<{ authenticatorId: string }>
  await send('WebAuthn.enable')
  const { authenticatorId } = await send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  if (!passkey) return
  const { id, rpId, userHandle, privateKey, signCount } = passkey
  await send('WebAuthn.addCredential', {
    authenticatorId,
    credential: {
      credentialId: base64(id),
      isResidentCredential: true,
      rpId,
      signCount,
      userHandle: base64(userHandle),
      privateKey: base64(privateKey),
    },
  })
}

/** The protocol takes plain base64. */
const base64 = (text: string): string => Buffer.from(text, 'base64url').toString('base64')
