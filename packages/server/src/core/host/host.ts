import { SECOND } from '../../kernel/clock.ts'
import { frozenCopy } from '../../kernel/json-object.ts'
import { errorOf, type Log } from '../../kernel/log.ts'
import { type Fault, unavailable } from '../../kernel/problems.ts'
import { withDeadline } from '../../kernel/promises.ts'
import { faultsInWords, HostRefusal } from '../../kernel/refuse.ts'
import { ownClaims } from '../../settings/rules.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ChangingEmail, HookClaims, HookUser, Registering, SigningIn } from '../hooks.ts'
import type { HostOptions, PasswordRule, RuledUser, UsernameRule } from './host-options.ts'

/** The functions of the host. One that the host does not have is undefined, and costs nothing. */
export type Host = ReturnType<typeof createHost>

type Needs = { log: Log; settings: Pick<Settings, 'SIMPLE_JWT'> }

/** The hooks that may refuse, and what each gets. */
type MayRefuse = {
  registering: Registering
  signingIn: SigningIn
  changingEmail: ChangingEmail
}

/** Calls each function of the host behind the same guard, with a copy that it cannot change. */
export function createHost(options: HostOptions, { log, settings }: Needs) {
  const { hooks = {}, passwordRules, usernameRules } = options
  const own = ownClaims(settings)

  return {
    registering: mayRefuse('registering'),
    signingIn: mayRefuse('signingIn'),
    changingEmail: mayRefuse('changingEmail'),

    claims:
      hooks.claims &&
      ((user: HookUser): Promise<HookClaims> =>
        ask('claims', async () => readClaims(await hooks.claims?.(frozenCopy(user)), own))),

    passwordFaults: passwordRules && faultsBy('passwordRules', passwordRules, true),
    usernameFaults: usernameRules && faultsBy('usernameRules', usernameRules, false),
  }

  function mayRefuse<Name extends keyof MayRefuse>(
    name: Name,
  ): ((about: MayRefuse[Name]) => Promise<void>) | undefined {
    if (!hooks[name]) return undefined
    // Every hook takes what `MayRefuse` names. The compiler sees only the union of all three.
    return (about) =>
      ask(name, async () => hooks[name]?.(frozenCopy(about) as never), { mayRefuse: true })
  }

  function faultsBy(name: string, rule: PasswordRule | UsernameRule, knowsSecret: boolean) {
    return (value: string, user: RuledUser): Promise<Fault[]> =>
      ask(name, async () => faultsInWords((await rule(value, frozenCopy(user))) ?? []), {
        knowsSecret,
      })
  }

  /**
   * Calls a function of the host. With `mayRefuse`, it may refuse the request. Anything else that
   * goes wrong in it is logged, and the request gets a 503. A result that comes too late is ignored.
   * `call` is async, so that a synchronous throw is a rejection, too.
   */
  async function ask<T>(name: string, call: () => Promise<T>, about: About = {}): Promise<T> {
    try {
      return await withDeadline(call(), PATIENCE)
    } catch (error) {
      if (about.mayRefuse && HostRefusal.is(error)) throw error
      const thrown = about.knowsSecret ? { error: withoutWords(error) } : { err: errorOf(error) }
      log.error({ hook: name, ...thrown }, 'a function of the host failed; the request is refused')
      throw unavailable().logged()
    }
  }
}

/** How long a function of the host may take. */
const PATIENCE = 5 * SECOND

type About = {
  /** Whether it may refuse. If not, a refusal is a failure. */
  mayRefuse?: boolean
  /** Whether its errors may contain a secret. Then only their names and stack positions are logged. */
  knowsSecret?: boolean
}

/** The name of an error, and where it was thrown. Its message may quote a password. */
function withoutWords(thrown: unknown): string {
  const error = errorOf(thrown)
  if (error !== thrown) return typeof thrown
  const { name, message, stack = '' } = error
  const at = stack.indexOf(message)
  return at < 0 ? name : name + stack.slice(at + message.length)
}

/** An access token must fit into a cookie, of which browsers take 4096 bytes. */
const BYTES_MAX = 2048
const DEPTH_MAX = 10

/** Copies the result of the hook. Throws if a token cannot contain these claims. */
function readClaims(given: unknown, own: readonly string[]): HookClaims {
  if (given === undefined) return {}
  if (!isPlain(given)) throw new TypeError('claims() must return an object, or nothing.')
  const taken = Object.keys(given).find((name) => own.includes(name))
  if (taken !== undefined) throw new TypeError(`The claim ${taken} is set by the service itself.`)
  const strange = Object.keys(given).find((name) => !isJson(given[name], DEPTH_MAX))
  if (strange !== undefined) throw new TypeError(`The claim ${strange} is not JSON.`)
  const text = JSON.stringify(given)
  const bytes = Buffer.byteLength(text)
  if (bytes > BYTES_MAX) {
    throw new RangeError(`The claims take ${bytes} bytes; at most ${BYTES_MAX} fit into a token.`)
  }
  return JSON.parse(text)
}

/** Whether JSON keeps the value. Undefined is left out on purpose. */
function isJson(value: unknown, depth: number): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (depth === 0) return false
  const hasMembers = Array.isArray(value) || isPlain(value)
  return hasMembers && Object.values(value).every((member) => isJson(member, depth - 1))
}

/** Not a `Map` or a `Date`, whose contents would be lost. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]'
