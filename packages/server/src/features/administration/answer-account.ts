import type { TObject } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { pkOf } from '../../core/identity.ts'
import type { User } from '../../storage/schema.ts'
import type { UpToAccount } from '../account/feature.ts'
import { profileEntry } from '../users/answer-user.ts'
import { AuditEntry, answerAudit } from './answer-audit.ts'

/** What the page of a user shows besides the user: the entries of the dossier with these names. */
const SHOWN = [
  'second_factor',
  'logins',
  'passkeys',
  'api_keys',
  'social_accounts',
  'pending_confirmations',
  'mails',
]

/** The newest of each list. */
const MOST = 50

export type AnswerAccount = ReturnType<typeof createAnswerAccount>

/** A user as operators see them. No hash, key, code or secret is ever part of it. */
export function createAnswerAccount(house: UpToAccount) {
  const { settings, everyFeature, users, mfa, audit } = house
  const profile = profileEntry(settings)
  const entries = everyFeature.dossier().filter(({ name }) => SHOWN.includes(name))
  const properties = { ...(profile.schema as TObject).properties, mfa: Type.Boolean() }
  const schema: TObject = Type.Object(properties, { $id: 'AdminUser' })

  const wholeSchema: TObject = Type.Object(
    {
      ...properties,
      ...Object.fromEntries(entries.map(({ name, schema: part }) => [name, part])),
      history: Type.Array(AuditEntry),
    },
    { $id: 'AdminUserPage' },
  )

  return {
    schema,
    wholeSchema,

    all,
    one,

    /** The user after a change, unless they were deleted meanwhile. */
    current: async (user: User) => one((await users.findById(user.id)) ?? user),

    /** Everything on the page of a user. */
    async whole(user: User): Promise<Record<string, unknown>> {
      const parts = await Promise.all(
        entries.map(async ({ name, read }) => [name, await read(user, MOST)] as const),
      )
      const history = await audit.newestOfUser(user.id, MOST)
      return {
        ...(await one(user)),
        ...Object.fromEntries(parts),
        history: answerAudit(history, new Map([[user.id, pkOf(user)]])),
      }
    },
  }
  /** Users in lists, and after a change. */
  async function all(listed: readonly User[]): Promise<Record<string, unknown>[]> {
    const withMfa = await mfa.whoHas(listed.map(({ id }) => id))
    return Promise.all(
      listed.map(async (user) => ({
        ...((await profile.read(user, MOST)) as object),
        mfa: withMfa.has(user.id),
      })),
    )
  }

  async function one(user: User): Promise<Record<string, unknown>> {
    const [answer = {}] = await all([user])
    return answer
  }
}
