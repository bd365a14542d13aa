import type { EveryFeature } from '../../core/every-feature.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db, Handle, Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import type { Audit } from '../audit/audit.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { ProvedAddress } from '../users/proved-address.ts'
import type { Users } from '../users/users.ts'
import { createBeginLogin } from './begin-login.ts'
import { createBeginRegistration } from './begin-registration.ts'
import { createChallenges } from './challenges.ts'
import { createCompleteLogin } from './complete-login.ts'
import { createCompleteRegistration } from './complete-registration.ts'
import { createManage } from './manage.ts'
import {
  hasPasskey,
  removeOwner,
  removePasskeysOfUser,
  removeUnprovedPasskeys,
} from './passkeys-queries.ts'
import { createNoteRefusal } from './refusals.ts'
import { createRelyingParty } from './relying-party.ts'

export type Passkeys = ReturnType<typeof createPasskeys>

type Needs = {
  db: Db
  everyFeature: EveryFeature
  users: Users
  audit: Audit
  outbox: Outbox
  provedAddress: ProvedAddress
  settings: Pick<Settings, 'REST_AUTH' | 'ACCOUNT' | 'PUBLIC_URL'>
  secretKey: string
  clock: Clock
  log: Log
}

export function createPasskeys(needs: Needs) {
  const { db, settings, clock, log } = needs
  const rp = createRelyingParty(settings)
  const challenges = createChallenges({ db, clock, lifetimeMs: rp.timeoutMs })
  const shared = {
    ...needs,
    rp,
    challenges,
    noteRefusal: createNoteRefusal(log),
  }
  return {
    beginRegistration: createBeginRegistration(shared),
    completeRegistration: createCompleteRegistration(shared),
    beginLogin: createBeginLogin(shared),
    completeLogin: createCompleteLogin(shared),
    ...createManage(needs),
    hasAny: (user: User, within: Handle): Promise<boolean> => hasPasskey(within, user.id),
    /** Returns how many there were. */
    removeUnproved: async (user: User, tx: Tx): Promise<number> =>
      (await removeUnprovedPasskeys(tx, user.id)).length,
    async erase({ id }: User, tx: Tx): Promise<void> {
      await removePasskeysOfUser(tx, id)
      await removeOwner(tx, id)
      await challenges.forgetUser(id, tx)
    },
    forgetExpired: challenges.forgetExpired,
  }
}
