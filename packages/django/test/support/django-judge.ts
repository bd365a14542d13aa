import type { Client } from '../../../server/test/support/client.ts'
import { bearer } from '../../../server/test/support/jwt.ts'
import type { Live, LiveUser } from './django-live.ts'

/** Collects what answers otherwise than the original would. */
export function judge() {
  const wrong: unknown[] = []
  let count = 0
  return {
    wrong,
    count: () => count,
    note(isGood: boolean, works: boolean, ...about: unknown[]) {
      count += 1
      if (isGood !== works) wrong.push([works, ...about])
    },
  }
}

/** The kinds of credentials that a project has. Those of others must not work. */
export type Kinds = { token?: boolean; session?: boolean; blacklist?: boolean }

/** Tries every token, session and JWT of every user. */
export async function judgeCredentials(
  request: Client,
  { users, other_sessions }: Live,
  { token: hasTokens = true, session: hasSessions = true, blacklist = true }: Kinds = {},
) {
  const { wrong, note, count } = judge()
  for (const user of users) {
    const { pk, token, is_active, sessions, jwts } = user
    if (token) note(await isThem(user, { token }), is_active && hasTokens, pk, 'token')
    for (const { sessionid, works, why_not } of sessions) {
      const isGood = await isThem(user, { cookies: { sessionid } })
      note(isGood, works && hasSessions, pk, 'session', why_not)
    }
    for (const { type, token, works, why_not } of jwts) {
      const isGood =
        type === 'access'
          ? await isThem(user, bearer(token))
          : (await request.post('token/refresh/', { refresh: token })).status === 200
      note(isGood, works || (!blacklist && why_not === 'blacklisted'), pk, type, why_not)
    }
  }
  for (const { sessionid, why } of other_sessions) {
    const { status } = await request.get('user/', { cookies: { sessionid } })
    note(status === 200, false, 'session', why)
  }
  return { wrong, count: count() }

  async function isThem({ pk }: LiveUser, options: object): Promise<boolean> {
    const { status, body } = await request.get('user/', options)
    return status === 200 && (body as { pk: unknown }).pk === pk
  }
}
