import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Settings } from '../../settings.ts'
import type { Stores } from '../../stores.ts'
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
import { createNoteRefusal } from './refusals.ts'
import { createRelyingParty } from './relying-party.ts'

export type Passkeys = ReturnType<typeof createPasskeys>

type Needs = {
  stores: Stores
  users: Users
  audit: Audit
  outbox: Outbox
  provedAddress: ProvedAddress
  settings: Settings
  secretKey: string
  clock: Clock
  log: Log
}

export function createPasskeys(needs: Needs) {
  const { stores, settings, clock, log } = needs
  const rp = createRelyingParty(settings)
  const shared = {
    ...needs,
    rp,
    store: stores.passkeys,
    challenges: createChallenges(stores.passkeyChallenges, clock, rp.timeoutMs),
    noteRefusal: createNoteRefusal(log),
  }
  return {
    beginRegistration: createBeginRegistration(shared),
    completeRegistration: createCompleteRegistration(shared),
    beginLogin: createBeginLogin(shared),
    completeLogin: createCompleteLogin(shared),
    ...createManage(needs),
  }
}
