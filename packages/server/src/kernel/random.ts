import { randomInt as cryptoRandomInt, randomBytes } from 'node:crypto'

/** The only source of randomness in the service. */
export const randomBuffer = (bytes: number): Buffer => randomBytes(bytes)

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** From 0 to below the limit, evenly. */
export const randomInt = (below: number): number => cryptoRandomInt(below)
