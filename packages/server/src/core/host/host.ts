import { frozenCopy } from '../../kernel/frozen-copy.ts'
import type { Log } from '../../kernel/log.ts'
import type { Fault } from '../../kernel/problems.ts'
import { faultsInWords } from '../../kernel/refuse.ts'
import type { Settings } from '../../settings/settings.ts'
import { ownClaims } from '../../settings/user-rules.ts'
import type { ChangingEmail, HookClaims, HookUser, Registering, SigningIn } from '../hooks.ts'
import { createAskHost } from './ask-host.ts'
import type { HostOptions, RuledUser } from './plug-points.ts'
import { readClaims } from './read-claims.ts'

/** What the host is asked. A function that it does not have is undefined, and costs nothing. */
export type Host = ReturnType<typeof createHost>

type Needs = { log: Log; settings: Pick<Settings, 'SIMPLE_JWT'> }

/** The functions of the host, each behind the same guard. They get copies that they cannot change. */
export function createHost(options: HostOptions, { log, settings }: Needs) {
  const { hooks = {}, passwordRules, usernameRules } = options
  const ask = createAskHost(log)
  const own = ownClaims(settings)

  return {
    registering:
      hooks.registering &&
      ((registration: Registering): Promise<void> =>
        ask({
          name: 'registering',
          mayRefuse: true,
          ask: () => hooks.registering?.(frozenCopy(registration)),
        })),

    signingIn:
      hooks.signingIn &&
      ((login: SigningIn): Promise<void> =>
        ask({
          name: 'signingIn',
          mayRefuse: true,
          ask: () => hooks.signingIn?.(frozenCopy(login)),
        })),

    changingEmail:
      hooks.changingEmail &&
      ((change: ChangingEmail): Promise<void> =>
        ask({
          name: 'changingEmail',
          mayRefuse: true,
          ask: () => hooks.changingEmail?.(frozenCopy(change)),
        })),

    claims:
      hooks.claims &&
      ((user: HookUser): Promise<HookClaims> =>
        ask({
          name: 'claims',
          mayRefuse: false,
          ask: async () => readClaims(await hooks.claims?.(frozenCopy(user)), own),
        })),

    passwordFaults:
      passwordRules &&
      ((password: string, user: RuledUser): Promise<Fault[]> =>
        ask({
          name: 'passwordRules',
          mayRefuse: false,
          knowsSecret: true,
          ask: async () => faultsInWords((await passwordRules(password, frozenCopy(user))) ?? []),
        })),

    usernameFaults:
      usernameRules &&
      ((username: string, user: RuledUser): Promise<Fault[]> =>
        ask({
          name: 'usernameRules',
          mayRefuse: false,
          ask: async () => faultsInWords((await usernameRules(username, frozenCopy(user))) ?? []),
        })),
  }
}
