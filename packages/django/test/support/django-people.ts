import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { DAY } from '../../../server/src/kernel/clock.ts'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import type { TableRow } from './django-tables.ts'

export const NOW = Date.UTC(2030, 0, 1, 11)
export const THEN = new Date(NOW - 30 * DAY)
export const PASSWORD_THERE = 'a password of the project'

/** What a user of a made-up project has, besides a password, an address and a profile. */
export type Person = {
  isActive?: boolean
  isStaff?: boolean
  /** Null if they log in otherwise. */
  hash?: string | null
  email?: string
  addresses?: readonly { email: string; isVerified: boolean }[]
  hasToken?: boolean
  hasSessions?: boolean
  hasJwts?: boolean
  lastLogin?: Date
  resets?: readonly ('good' | 'a login came after it')[]
  codes?: 'seed' | 'migrated'
  passkeys?: readonly { isEdDsa?: boolean; isSynced?: boolean }[]
  provider?: string
}

/** At the lowest cost: it is not the hashes that are tested here. */
export const PBKDF2 = `pbkdf2_sha256$1$salt$${pbkdf2Sync(PASSWORD_THERE, 'salt', 1, 32, 'sha256').toString('base64')}`
const SHA1 = `pbkdf2_sha1$1$salt$${pbkdf2Sync(PASSWORD_THERE, 'salt', 1, 20, 'sha1').toString('base64')}`
const SCRYPT = `scrypt$2$salt$1$1$${scryptSync(PASSWORD_THERE, 'salt', 64, { N: 2, r: 1, p: 1 }).toString('base64')}`

/** At least three have a token, and for everything that works somebody has what does not. */
export const PEOPLE: Readonly<Record<string, Person>> = {
  ada: { hasToken: true, hasSessions: true, hasJwts: true },
  ben: { isActive: false, hasToken: true, hasSessions: true, hasJwts: true },
  cleo: { hasToken: true, hasJwts: true, hash: SHA1, lastLogin: THEN, resets: ['good', 'good'] },
  dan: { hasToken: true, hasSessions: true, hash: SCRYPT, isStaff: true },
  eva: { lastLogin: THEN, resets: ['a login came after it'], hasSessions: true },
  finn: { codes: 'seed', hasToken: true },
  gil: { codes: 'migrated', resets: ['good'] },
  hal: { passkeys: [{}, { isEdDsa: true }], hasJwts: true },
  ida: { passkeys: [{ isSynced: true }], hasToken: true },
  jon: {
    hash: null,
    provider: 'google',
    addresses: [{ email: 'jon@example.com', isVerified: false }],
  },
  kay: {
    addresses: [
      { email: 'kay@example.com', isVerified: true },
      { email: 'kay@work.example', isVerified: false },
    ],
  },
  // Somebody edited it in the admin site, so that allauth has no row for it.
  lea: { email: 'Lea@Example.com', addresses: [], hasToken: true },
}

/** A value of every type; every other site is blank. */
export const ownColumns = (number: number): TableRow => ({
  phone: '+49 30 1',
  site: number % 2 === 0 ? 'https://example.com/' : '',
  is_vip: number % 2 === 0,
  born: '1990-02-03',
  seen_at: new Date(Date.UTC(2029, 4, 5, 6, 7, 8, 90)),
  points: number,
  rating: 4.5,
  tags: { json: ['one', 'two'] },
  nicknames: onPostgres ? '{"Ada the First",ada}' : '["Ada the First", "ada"]',
})
