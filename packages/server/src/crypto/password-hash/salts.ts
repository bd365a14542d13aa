import { randomBuffer, randomToken } from '../../kernel/random.ts'

const SALT_BYTES = 16

export const randomSalt = (): Buffer => randomBuffer(SALT_BYTES)

/**
 * Django's own formats store the salt as text and hash the bytes of that text. In hexadecimal a
 * scrypt hash would not fit into the 128 characters that Django has for it.
 */
export const randomTextSalt = (): Buffer => Buffer.from(randomToken(SALT_BYTES))
