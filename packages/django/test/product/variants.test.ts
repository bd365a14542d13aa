import { describe, expect, test } from 'vitest'
import { onPostgres } from '../../../server/test/support/postgres.ts'
import { deployments, startImported } from '../support/django.ts'
import { judgeCredentials, type Kinds } from '../support/django-judge.ts'
import type { Live } from '../support/django-live.ts'
import type { Deployment } from '../support/django-tables.ts'
import {
  alienSessions,
  localTimes,
  oddColumns,
  renamedColumns,
  renamedTable,
  withDashes,
  withOffsets,
  without,
} from '../support/django-variants.ts'

type Variant = NonNullable<Parameters<typeof startImported>[1]>

async function judgeVariant(deployment: Deployment, variant: Variant, kinds: Kinds = {}) {
  const { request, live, report, importAgain } = await startImported(deployment, variant)
  const { wrong } = await judgeCredentials(request, live, kinds)
  expect(wrong).toEqual([])
  expect(report.counts).toMatchObject({ added: live.users.length })
  return { request, live, report, importAgain }
}

describe.each(deployments)('a project like %s', (deployment) => {
  test('with other names for tables and columns, and sessions of strangers', async () => {
    const sql = (live: Live) =>
      oddColumns(live) + renamedColumns(live) + renamedTable(live) + alienSessions(live)
    const columns = { usernameColumn: 'handle', emailColumn: 'mail' }
    const wish = { table: 'members_account', columns }
    const { request, live } = await judgeVariant(deployment, { sql, wish })
    expect(live.other_sessions.map(({ why }) => why)).toContain('a pk of another kind')
    const holder = live.users.find(({ token, is_active }) => token && is_active)
    const { body } = await request.get('user/', { token: holder?.token ?? '' })
    expect(body).toMatchObject({ email: holder?.email.toLowerCase() })
  })

  test('without the tables of apps that it does not use', async () => {
    const sql = without(
      'authtoken_token',
      'django_session',
      'token_blacklist_blacklistedtoken',
      'auth_group',
      'token_blacklist_outstandingtoken',
      'mfa_authenticator',
      'account_emailaddress',
      'socialaccount_socialaccount',
    )
    const kinds = { token: false, session: false, blacklist: false }
    await judgeVariant(deployment, { sql }, kinds)
  })
})

describe('a project', () => {
  test('with sessions of a backend that is gone', async () => {
    const backends = new Set(['people.backends.Other'])
    await judgeVariant('default', { wish: { backends } }, { session: false })
  })

  test.runIf(!onPostgres)('with times of its own zone', async () => {
    const wish = { timeZone: 'Asia/Kolkata' }
    const { live } = await judgeVariant('default', { sql: localTimes, wish })
    expect(live.other_sessions.map(({ why }) => why)).toContain('expired an hour ago')
  })

  test.runIf(!onPostgres)('with UUIDs with dashes, and times that name their offset', async () => {
    const sql = (live: Live) => withDashes(live) + withOffsets(live)
    const { importAgain, live } = await judgeVariant('custom', { sql })
    expect((await importAgain()).counts).toEqual({ unchanged: live.users.length })
  })
})
