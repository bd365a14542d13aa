import { hash } from 'node:crypto'

/**
 * For finding secrets of 128 or more random bits. They cannot be guessed, so they need no salt and
 * no slow hash.
 */
export const digest = (secret: string): string => hash('sha256', secret, 'base64url')
