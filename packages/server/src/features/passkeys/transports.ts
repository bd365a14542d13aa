import type { Passkey } from '../../storage/schema.ts'

const TRANSPORTS_MAX = 10
const TRANSPORT = /^[a-z][a-z-]{0,31}$/

/**
 * How to reach the authenticator, as the browser said. It is stored and sent back to browsers.
 * Unknown words are kept, and values that are no such word are dropped.
 */
export function readTransports(input: unknown): string[] {
  if (!Array.isArray(input)) return []
  const words = input.filter((word) => typeof word === 'string' && TRANSPORT.test(word))
  return [...new Set<string>(words)].slice(0, TRANSPORTS_MAX)
}

export const transportsOf = ({ transports }: Passkey): string[] => JSON.parse(transports)
