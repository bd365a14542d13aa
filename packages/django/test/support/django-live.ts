import type { UncheckedSettings } from '../../../server/src/settings/settings.ts'
import type { KeptPasskey } from './django-passkey.ts'
import type { Deployment } from './django-tables.ts'

/* What is true of the users of a Django project: what they have, and what of it works there. */

type Judged = { works: boolean; why_not: string | null }

export type LiveUser = {
  pk: number | string
  email: string
  password: string | null
  is_active: boolean
  token: string | null
  jwts: (Judged & { type: 'access' | 'refresh'; token: string })[]
  sessions: (Judged & { sessionid: string })[]
  totp: { secret: string } | null
  recovery_codes: { unused: string[]; used: string[] } | null
  passkeys: KeptPasskey[]
  resets: (Judged & { uid: string; token: string })[]
  email_keys: (Judged & { email: string; key: string })[]
}

export type Live = {
  variant: Deployment
  generated_at: string
  origin: string
  user_table: string
  users: LiveUser[]
  other_sessions: { sessionid: string; why: string }[]
  deleted_users: { token: string; jwts: { token: string }[] }[]
  settings: {
    SECRET_KEY: string
    SECRET_KEY_FALLBACKS: string[]
    SIMPLE_JWT: { SIGNING_KEY?: string; ISSUER?: string }
    SOCIALACCOUNT_PROVIDERS: NonNullable<UncheckedSettings['SOCIALACCOUNT']>['PROVIDERS']
  }
}
