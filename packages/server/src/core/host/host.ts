import { frozenCopy } from '../../kernel/frozen-copy.ts'
import type { Log } from '../../kernel/log.ts'
import type { Fault } from '../../kernel/problems.ts'
import { faultsInWords } from '../../kernel/refuse.ts'
import type { Settings } from '../../settings/settings.ts'
import { ownClaims } from '../../settings/user-rules.ts'
import type { HookClaims, HookUser, Registering, SigningIn } from '../hooks.ts'
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
      (async (registration: Registering): Promise<void> => {
        const given = frozenCopy(registration)
        await ask({ name: 'registering', mayRefuse: true, ask: () => hooks.registering?.(given) })
      }),

    signingIn:
      hooks.signingIn &&
      (async (login: SigningIn): Promise<void> => {
        const given = frozenCopy(login)
        await ask({ name: 'signingIn', mayRefuse: true, ask: () => hooks.signingIn?.(given) })
      }),

    claims:
      hooks.claims &&
      ((user: HookUser): Promise<HookClaims> => {
        const given = frozenCopy(user)
        const read = async () => readClaims(await hooks.claims?.(given), own)
        return ask({ name: 'claims', mayRefuse: false, ask: read })
      }),

    passwordFaults:
      passwordRules &&
      ((password: string, user: RuledUser): Promise<Fault[]> => {
        const given = frozenCopy(user)
        const read = async () => faultsInWords((await passwordRules(password, given)) ?? [])
        return ask({ name: 'passwordRules', mayRefuse: false, knowsSecret: true, ask: read })
      }),

    usernameFaults:
      usernameRules &&
      ((username: string, user: RuledUser): Promise<Fault[]> => {
        const given = frozenCopy(user)
        const read = async () => faultsInWords((await usernameRules(username, given)) ?? [])
        return ask({ name: 'usernameRules', mayRefuse: false, ask: read })
      }),
  }
}
