import type { Passkey } from '../../storage/schema.ts'

const TRANSPORTS_MAX = 10
const TRANSPORT = /^[a-z][a-z-]{0,31}$/

/**
 * What the browser says about how to reach the authenticator, kept to be handed back to browsers.
 * Words that are not known yet are kept, too; whatever is no such word is dropped.
 */
export function readTransports(input: unknown): string[] {
  if (!Array.isArray(input)) return []
  const words = input.filter((word) => typeof word === 'string' && TRANSPORT.test(word))
  return [...new Set<string>(words)].slice(0, TRANSPORTS_MAX)
}

export const transportsOf = ({ transports }: Passkey): string[] => JSON.parse(transports)
