import type { Contract, LoginAnswer, UserDetails } from './contract.ts'
import type { Table } from './endpoints.ts'
import type { CallOptions } from './in-time.ts'

/** A function for every endpoint of a table. */
export type Methods<T, User> = {
  readonly [Name in keyof T]: T[Name] extends keyof Contract
    ? (
        ...args: [...Parts<T[Name]>, ...BodyOf<T[Name], User>, options?: CallOptions]
      ) => Promise<AnswerOf<T[Name], User>>
    : Methods<T[Name], User>
}

/** The values for `{id}` and other parts of the path, in their order. */
type Parts<Path> = Path extends `${string}{${string}}${infer Rest}`
  ? [part: string | number, ...Parts<Rest>]
  : []

type BodyOf<E extends keyof Contract, User> = Contract[E] extends { body: infer Body }
  ? undefined extends Body
    ? [body?: Settled<E, Exclude<Body, undefined>, User> | undefined]
    : [body: Settled<E, Body, User>]
  : []

/** The body, if the settings of a deployment can add fields to it or make fields optional. */
type Settled<E, Body, User> = E extends `${string} user/`
  ? Body & Added<User>
  : E extends 'POST passkeys/signup/begin/'
    ? Partial<Body & Names> & Added<User>
    : E extends 'POST registration/'
      ? Partial<Body & Names> & Added<User> & { password1: string }
      : Body

type Names = Pick<UserDetails, 'first_name' | 'last_name'>
/** The fields that the deployment itself has added to its users. */
type Added<User> = Partial<Omit<User, keyof UserDetails>>

/**
 * The answer to a login. With `mfa_required`, nobody is signed in yet: call `mfa.verify` with the
 * `ephemeral_token` and a code. With sessions, the answer is empty.
 */
export type SignedIn<User = UserDetails> = WithUser<LoginAnswer, User> | Empty

type Empty = { [Name in keyof LoginAnswer]?: never }
type WithUser<Answer, User> = Answer extends { user: object }
  ? Omit<Answer, 'user'> & { user: User }
  : Answer

/** The answer to a registration. A `detail` says that the address must be confirmed first. */
export type Registered<User = UserDetails> = (SignedIn<User> & { detail?: never }) | MailSent
type MailSent = Empty & { detail: string }

export type AnswerOf<E extends keyof Contract, User> = E extends `${string} user/`
  ? User
  : E extends 'POST registration/' | 'POST passkeys/signup/complete/'
    ? Registered<User>
    : LoginAnswer extends Contract[E]['answer']
      ? SignedIn<User>
      : Contract[E]['answer']

/** Calls an endpoint. `path` is the path in the contract, `target` has the values filled in. */
export type Call = (
  method: string,
  path: string,
  target: string,
  body: unknown,
  options: CallOptions | undefined,
) => Promise<unknown>

export function createMethods<const T extends Table, User>(table: T, call: Call): Methods<T, User> {
  const methods = Object.entries(table).map(([name, entry]) => [
    name,
    typeof entry === 'string' ? createMethod(entry, call) : createMethods(entry, call),
  ])
  return Object.fromEntries(methods)
}

function createMethod(endpoint: string, call: Call) {
  const [method = '', path = ''] = endpoint.split(' ')
  const takesBody = /^P/.test(method)
  return async (...args: unknown[]) => {
    const target = path.replace(/{\w+}/g, () => segment(String(args.shift())))
    const body = takesBody ? args.shift() : undefined
    return call(method, path, target, body, args[0] as CallOptions)
  }
}

/** Escapes a value for the path. Dots alone would lead to another endpoint. */
function segment(part: string): string {
  if (/^\.*$/.test(part)) throw new TypeError(`"${part}" cannot be part of a path.`)
  return encodeURIComponent(part)
}
