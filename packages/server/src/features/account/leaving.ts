import type { Identity } from '../../core/identity.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import { isUsablePassword } from '../../crypto/password-hash/password-hasher.ts'
import { type Fault, fault, problem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import type { Mfa } from '../mfa/mfa.ts'
import type { OwnPassword } from '../passwords/own-password.ts'
import type { Users } from '../users/users.ts'
import { BY_USER } from './by-whom.ts'
import type { Erase } from './erase.ts'

export type Leaving = ReturnType<typeof createLeaving>

/** What is asked of users before their account is deleted: what they have of it. */
export type Proofs = { password?: string | undefined; code?: string | undefined }

type Needs = {
  users: Users
  mfa: Mfa
  ownPassword: OwnPassword
  erase: Erase
}

/** Lets users delete their own account. */
export function createLeaving({ users, mfa, ownPassword, erase }: Needs) {
  return {
    /**
     * Returns the faults of the proofs. The code is only missed here. It is checked after the
     * password was right: a wrong password must neither spend a code nor tell whether it is good.
     */
    async check({ user }: Identity, proofs: Proofs, turn: Turn): Promise<Record<string, Fault[]>> {
      const isCodeMissing = proofs.code === undefined && (await mfa.isOn(user.id))
      const password = isUsablePassword(user.password) ? await faultOf(user, proofs, turn) : null
      return {
        ...(password && { password: [password] }),
        ...(isCodeMissing && { code: [fault('required')] }),
      }
    },

    /** Of parallel requests exactly one deletes the account. */
    async leave({ user }: Identity, { code = '' }: Proofs, address: string): Promise<void> {
      const isDeleted = await erase(async (tx) => {
        const current = await users.stillSignedIn(user, tx)
        const given = { code, address, purpose: 'leave' } as const
        return (await mfa.accepts(current, given, tx)) ? current : null
      }, BY_USER)
      if (!isDeleted) throw problem('mfa_code_invalid')
    },
  }

  async function faultOf(user: User, { password }: Proofs, turn: Turn): Promise<Fault | null> {
    if (password === undefined) return fault('required')
    return (await ownPassword.isRight(user, password, turn)) ? null : fault('password_invalid')
  }
}
