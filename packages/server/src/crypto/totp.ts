import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND } from '../kernel/clock.ts'

/** RFC 4226: the code for one count. */
export function hotp(secret: Buffer, count: number, digits: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(count))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

type TotpOptions = { digits: number; periodSeconds: number }

export type Totp = ReturnType<typeof createTotp>

/**
 * The current time step, then the ones before and after it: clocks differ, and people type
 * slowly.
 */
const WINDOW = [0, -1, 1]

/** RFC 6238: the count is the number of periods since the epoch. */
export function createTotp({ digits, periodSeconds }: TotpOptions) {
  return {
    digits,
    periodSeconds,

    /** The time step of the code, or undefined if the code is not valid now. */
    stepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
      const given = Buffer.from(code)
      if (given.length !== digits) return undefined
      const current = Math.floor(nowMs / (periodSeconds * SECOND))
      return WINDOW.map((offset) => current + offset).find((step) =>
        timingSafeEqual(given, Buffer.from(hotp(secret, step, digits))),
      )
    },
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS_PER_CHARACTER = 5

/** RFC 4648 without padding: the form in which authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(new RegExp(`.{1,${BITS_PER_CHARACTER}}`, 'g')) ?? []
  return groups
    .map((group) => ALPHABET.charAt(Number.parseInt(group.padEnd(BITS_PER_CHARACTER, '0'), 2)))
    .join('')
}

/** Reads only the output of `base32`. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (character) =>
    ALPHABET.indexOf(character).toString(2).padStart(BITS_PER_CHARACTER, '0'),
  ).join('')
  // The bits after the last whole byte are padding.
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
