import { randomInt as cryptoRandomInt, randomBytes, randomUUID } from 'node:crypto'

/** The only source of randomness in the service. */
export const randomBuffer = (bytes: number): Buffer => randomBytes(bytes)

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

export const randomUuid = (): string => randomUUID()

/** A uniformly distributed integer from 0 up to, but not including, the limit. */
export const randomInt = (below: number): number => cryptoRandomInt(below)
