import { isObject, outlineOf } from '../../kernel/json-object.ts'
import { decodeBase64url } from '../canonical.ts'

/** What a ceremony must match: the relying party and the challenge. */
export type Expected = {
  rpId: string
  origins: readonly string[]
  requireUserVerification: boolean
  isChallenge(challenge: string): boolean
}

/** The same, as options of the library. */
export const verifierOptions = (expected: Expected) => ({
  expectedRPID: expected.rpId,
  expectedOrigin: [...expected.origins],
  // The client writes the client data, so the challenge in it can be any value.
  expectedChallenge: (challenge: unknown) =>
    typeof challenge === 'string' && expected.isChallenge(challenge),
  requireUserVerification: expected.requireUserVerification,
})

/** The bytes of a value of WebAuthn. The error names the value. */
export function bytesOf(text: unknown, name: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') throw new Error(`${name} is not a text`)
  if (text.length > Math.ceil((maxBytes * 4) / 3)) throw new Error(`${name} is too long`)
  const bytes = decodeBase64url(text)
  if (!bytes) throw new Error(`${name} is not base64url`)
  // A copy, since small buffers share memory, and the decoders read all of it.
  return new Uint8Array(bytes)
}

/** Client data of a browser has about 200 bytes. */
const MAX_BYTES = 8192
const MAX_DEPTH = 4

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Refuses client data that two parsers could read in two ways, and ceremonies inside a frame of
 * another site. The verification that follows compares type, challenge and origin.
 */
export function checkClientData(encoded: unknown): void {
  const bytes = bytesOf(encoded, 'clientDataJSON', MAX_BYTES)
  const data: unknown = JSON.parse(utf8.decode(bytes))
  if (!isObject(data)) throw new Error('clientDataJSON is not an object')
  const { depth, members } = outlineOf(bytes)
  if (depth > MAX_DEPTH) throw new Error('clientDataJSON is nested too deeply')
  if (members !== Object.keys(data).length) throw new Error('clientDataJSON has a key twice')

  const { crossOrigin = false, topOrigin } = data
  if (crossOrigin !== false || topOrigin !== undefined) throw new Error('cross-origin ceremony')
}
