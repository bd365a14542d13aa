import { hkdfSync } from 'node:crypto'
import { derivedKey, digest } from '../../crypto/digests.ts'
import type { Passkey } from '../../storage/schema.ts'

/** A passkey as the options name it. */
export type Descriptor = { type: 'public-key'; id: string; transports?: string[] }

type Authenticator = { bytes: number; transports: string[] }

/** Typical authenticators: the length of their credential ids, and their transports. */
const likely: [Authenticator, ...Authenticator[]] = [
  { bytes: 20, transports: ['internal', 'hybrid'] },
  { bytes: 16, transports: ['internal', 'hybrid'] },
  { bytes: 32, transports: ['internal'] },
  { bytes: 32, transports: ['hybrid', 'internal'] },
  { bytes: 64, transports: ['usb', 'nfc'] },
  { bytes: 48, transports: ['usb'] },
  { bytes: 32, transports: [] },
]

/** Most people have one passkey. */
const counts: [number, ...number[]] = [1, 1, 1, 1, 2, 2, 2, 3]
const MOST = 3
const ID_MOST = 64
const BYTES_EACH = 1 + ID_MOST

/**
 * Invents passkeys for a name that has none, so that nobody can find out who has an account. They
 * are derived from the name and the secret key, so they are always the same. Returns a function that
 * writes the list down.
 */
export function createMadeUpDescriptors(secretKey: string) {
  const key = derivedKey(secretKey, 'made-up-passkeys')

  return (name: string): (() => Descriptor[]) => {
    const bytes = Buffer.from(hkdfSync('sha256', key, '', digest(name), 1 + MOST * BYTES_EACH))
    return () =>
      Array.from({ length: pick(counts, bytes[0]) }, (_, index) => {
        const at = 1 + index * BYTES_EACH
        const { bytes: length, transports } = pick(likely, bytes[at])
        return descriptor(bytes.toString('base64url', at + 1, at + 1 + length), transports)
      })
  }
}

export const descriptorOf = (passkey: Pick<Passkey, 'credential_id' | 'transports'>): Descriptor =>
  descriptor(passkey.credential_id, transportsOf(passkey))

const descriptor = (id: string, transports: readonly string[]): Descriptor => ({
  type: 'public-key',
  id,
  ...(transports.length > 0 && { transports: [...transports] }),
})

const pick = <T>(choices: [T, ...T[]], byte = 0): T => choices[byte % choices.length] ?? choices[0]

const TRANSPORTS_MAX = 10
const TRANSPORT = /^[a-z][a-z-]{0,31}$/

/** How the browser reaches the authenticator. Keeps unknown words, and drops everything else. */
export function readTransports(input: unknown): string[] {
  if (!Array.isArray(input)) return []
  const words = input.filter((word) => typeof word === 'string' && TRANSPORT.test(word))
  return [...new Set<string>(words)].slice(0, TRANSPORTS_MAX)
}

export const transportsOf = ({ transports }: Pick<Passkey, 'transports'>): string[] =>
  JSON.parse(transports)
