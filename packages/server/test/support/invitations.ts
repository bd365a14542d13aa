import type { startAuth } from './start-auth.ts'

type Started = Awaited<ReturnType<typeof startAuth>>

export const INVITED = { ACCOUNT: { SIGNUP: 'invited' } }
export const BY_USERS = { ...INVITED, INVITATIONS_BY_USERS: true }

/** The key in the newest invitation to an address. */
export const keyFor = async ({ mail }: Started, email: string): Promise<string> =>
  (await mail.newest('invitation', email)).values.key ?? ''

/** Invites an address, as an operator does. Returns the key in the letter. */
export async function invite(started: Started, email: string, gifts: object = {}): Promise<string> {
  const { operations } = started.auth.services
  const actor = { kind: 'cli', name: 'test', may: 'all' } as const
  await operations.call(actor, 'invitations.create', { email, ...gifts })
  return keyFor(started, email.toLowerCase())
}
