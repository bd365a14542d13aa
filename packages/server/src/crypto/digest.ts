import { hash } from 'node:crypto'

/** For looking up secrets of 128 random bits and more: those need no salt and no slow hash. */
export const digest = (secret: string): string => hash('sha256', secret, 'base64url')
