import { randomBuffer, randomHex } from '../../kernel/random.ts'

const SALT_BYTES = 16

export const randomSalt = (): Buffer => randomBuffer(SALT_BYTES)

/** Django's own formats store the salt as text and hash the bytes of that text. */
export const randomTextSalt = (): Buffer => Buffer.from(randomHex(SALT_BYTES))
