import { expect, test } from 'vitest'
import { startAuth } from '../../../server/test/support/start-auth.ts'
import { digestThere } from '../../src/import/part-digests.ts'
import { partsOf } from '../../src/map/parts.ts'
import type { DjangoUser } from '../../src/source/django-user.ts'

const authenticator = { createdAt: 1_700_000_000_000, lastUsedAt: null }

const ADA: DjangoUser = {
  pk: 7,
  key: '00000000000000000007',
  password: '!',
  username: 'ada',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  isActive: false,
  isStaff: true,
  isSuperuser: false,
  joinedAt: 1_600_000_000_000,
  lastLogin: 1_700_000_000_000,
  groups: ['editors'],
  more: { phone: '+49 30 1', unknown: 'x' },
  addresses: [{ id: 1, email: 'ada@example.com', isVerified: true, isPrimary: true }],
  token: { key: 'a1'.repeat(20), createdAt: 1_600_000_000_000 },
  authenticators: [
    { id: 1, type: 'totp', data: { secret: 'JBSWY3DPEHPK3PXP' }, ...authenticator },
    { id: 2, type: 'recovery_codes', data: { migrated_codes: ['12345678'] }, ...authenticator },
    { id: 3, type: 'webauthn', data: { name: 'Key', credential: {} }, ...authenticator },
  ],
  ownAuthenticators: [],
  credentials: [],
  socialAccounts: [{ id: 4, provider: 'google', uid: '42', joinedAt: null, lastLogin: null }],
  origin: { codeCount: 10, codeDigits: 8, ownCodeCount: 10 },
  damaged: [],
}

// With other digests, an import after an upgrade would take everybody for changed.
test('the digests of what a project has are those of former versions', async () => {
  const { auth } = await startAuth({ USER_FIELDS: { phone: { type: 'string' } } })
  const digests = partsOf(auth.services).map((part) => [part.name, digestThere(part, ADA)])
  expect(Object.fromEntries(digests)).toMatchInlineSnapshot(`
    {
      "addresses": "jsp8qwWx1MZJ",
      "is_active": "X-zrZv_IbzjZ",
      "is_staff": "a4ayc_80_OGd",
      "is_superuser": "",
      "last_login": "vJm0vxAK2WzE",
      "mfa": "ohRsww29mDnG",
      "passkeys": "RJlYjQlZftcN",
      "password": "GdlFcXY5PU8J",
      "profile": "pPFpNMk-0SII",
      "social": "V9bwku0cEMvI",
      "token": "4gUT9ALD4QLa",
      "username": "mCwvnnHfNUUl",
    }
  `)
})
