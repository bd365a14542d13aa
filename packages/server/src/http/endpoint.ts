import type { Static, TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity, KeyScope, Restriction } from '../core/identity.ts'
import type { ClientLimit } from '../core/limits.ts'
import type { Turn } from '../crypto/password-hash/hash-slots.ts'
import type { Fault, FaultCode, PlainProblemCode, Problem } from '../kernel/problems.ts'
import { english, type MessageKey } from '../kernel/words/english.ts'
import type { Settings } from '../settings/settings.ts'
import type { BodyOf, Fields } from './fields.ts'
import type { Freshness } from './freshness.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call, and which credentials are checked:
 * - `public`: anybody; credentials are ignored
 * - `by-link`: anybody with the link from a mail, which is the proof; for our own pages. A cookie
 *   tells who visits the page, and authorises nothing
 * - `opens-session`: anybody; the answer may set a cookie, so the Origin is checked
 * - `anyone`: anybody; a valid credential is used, an invalid one is ignored
 * - `if-signed-in`: anybody; an invalid `Authorization` is refused, a stale cookie is ignored
 * - `signed-in`: only with a valid credential
 */
export type Access =
  | 'public'
  | 'by-link'
  | 'opens-session'
  | 'anyone'
  | 'if-signed-in'
  | 'signed-in'

/** What most endpoints for users who are signed in have in common. */
export const forUsers = {
  access: 'signed-in',
  restricted: 'refused',
  throttle: 'auth_service',
} as const

type CallerFor<A extends Access, Caller> = A extends 'signed-in'
  ? Caller
  : A extends 'anyone' | 'if-signed-in' | 'by-link'
    ? Caller | null
    : null

/**
 * What a handler gets. The body has been checked, the caller authenticated and the limit counted.
 */
export type Call<F extends Fields = Fields, A extends Access = Access, Caller = Identity> = {
  body: BodyOf<F>
  identity: CallerFor<A, Caller>
  params: Record<string, string>
  /** The client's address, as the throttle counts it. */
  address: string
  /** For work that waits for its turn. It is given up if the client disconnects. */
  readonly turn: Turn
  request: FastifyRequest
  reply: FastifyReply
  /** What has been done, in the language of the caller. */
  readonly say: (key: MessageKey) => string
}

/** What `check` gets: only the fields without a fault so far. */
type FieldCheck<F extends Fields = Fields, A extends Access = Access, Caller = Identity> = Omit<
  Call<F, A, Caller>,
  'body'
> & { body: Partial<BodyOf<F>> }

/** An endpoint that needs a credential must say whether it has to be fresh. */
type FreshnessFor<F extends Fields, A extends Access> = A extends 'signed-in'
  ? { freshness: Freshness<keyof F & string> }
  : { freshness?: never }

/**
 * The restricted credentials that an endpoint accepts: by their kind, or keys of users by a scope. It
 * refuses all others, and so every kind that is added later.
 */
export type Restricted = 'refused' | readonly (Restriction['kind'] | KeyScope)[]

/** An endpoint that uses a credential must say which restricted ones it accepts. */
type RestrictedFor<A extends Access> = A extends 'anyone' | 'if-signed-in' | 'signed-in'
  ? { restricted: Restricted }
  : { restricted?: never }

type CaptchaFor<F extends Fields> = {
  on: Settings['CAPTCHA']['ON'][number]
  /** Whether this request needs one. If it is left out, all do. */
  isNeeded?(call: Pick<FieldCheck<F>, 'body' | 'address'>): Promise<boolean>
}

/** The schema of each success by its status; null if it has no body. */
type Replies = Record<number, TSchema | null>

/** A handler returns nothing if its answer has no body. */
type AnswerOf<R extends Replies> = Awaited<
  { [Status in keyof R]: R[Status] extends TSchema ? Static<R[Status]> : Promise<void> }[keyof R]
>

/** A refusal by its code, or a function if its body depends on more than the code. */
export type Refusal = PlainProblemCode | (() => Problem)

type Declaration<F extends Fields, A extends Access, R extends Replies, Caller> = {
  method: Method
  /** The path after the prefix, with a trailing slash. It is also served without the slash. */
  path: string
  /** The path as the contract writes it, if there is one endpoint for each `{provider}`. */
  template?: string
  operationId: string
  summary: string
  access: A
  throttle: 'auth_service' | 'none'
  /** A further limit per client address, for what anonymous clients can trigger. */
  limit?: ClientLimit
  /** False if the endpoint is not part of the public API. */
  documented?: boolean
  body?: F
  /** The fields of the query, for the documents. The handler reads them itself. */
  query?: Fields
  /** The handler reads the body itself, because it shows faults on a page or asks other rules first. */
  readsBody?: true
  /** What it is called in `CAPTCHA.ON`, if visitors can be asked for a captcha. */
  captcha?: CaptchaFor<F>
  /** Checks fields that need a lookup. Its faults are reported together with all others. */
  check?(call: FieldCheck<F, A, Caller>): Promise<Record<string, readonly Fault[]>>
  replies: R
  /**
   * The refusals of the service behind it. Those of access, throttle and fields are added
   * automatically.
   */
  refusals?: readonly Refusal[]
  /**
   * Faults that the service can find in single fields, in addition to those of the fields
   * themselves.
   */
  faults?: { readonly [Name in keyof F]?: readonly (FaultCode | Fault)[] }
  /** The fields of the example in OpenAPI. By default all of them. */
  usualFields?: readonly (keyof F & string)[]
  /** The statuses of pages that refuse, and what they mean. */
  pages?: Readonly<Record<number, string>>
  handle(call: Call<F, A, Caller>): Promise<AnswerOf<R>>
  /** Changes the answer to a refusal, even if the credential was refused. */
  onRefusal?(call: Pick<Call, 'request' | 'reply'> & { refusal: Problem }): void
}

/** Everything about an endpoint that can be documented. */
export type Documented = Omit<
  Declaration<Fields, Access, Replies, never>,
  'handle' | 'check' | 'captcha'
> & {
  /** Present if only signed-in users may call. */
  freshness?: Freshness
  /** Present if the endpoint uses a credential. */
  restricted?: Restricted
  /** The group of the endpoint in OpenAPI. */
  tag?: string
  /** Set if it serves another endpoint under a further path. */
  alias?: { of: string; fullPath: string }
  /** Its path begins at the root of the server, not at `AUTH_PREFIX`. */
  atRoot?: boolean
}

/**
 * An endpoint after type checking: its specific types are no longer needed. `Caller` is what the
 * server knows about a caller: an identity, or at the admin API a person or a key.
 */
export type Endpoint<Caller = Identity> = Documented & {
  captcha?: CaptchaFor<Fields>
  /** Refuses a request before any of its fields is. */
  guard?(call: Pick<Call, 'body' | 'address' | 'request'>): Promise<void>
  check?(call: FieldCheck<Fields, Access, Caller>): Promise<Record<string, readonly Fault[]>>
  handle(call: Call<Fields, Access, Caller>): Promise<unknown>
}

/** Makes the function that declares endpoints for these callers. */
export const endpointFor =
  <Caller>() =>
  <F extends Fields, A extends Access, R extends Replies>(
    declaration: Declaration<F, A, R, Caller> & FreshnessFor<F, A> & RestrictedFor<A>,
  ): Endpoint<Caller> =>
    declaration as unknown as Endpoint<Caller>

/** Declares an endpoint. Without access, throttle, freshness or restricted it does not compile. */
export const endpoint = endpointFor<Identity>()

/** Serves endpoints below another prefix than `AUTH_PREFIX`. */
export const atRootBelow = <Caller>(
  prefix: string,
  endpoints: readonly Endpoint<Caller>[],
): Endpoint<Caller>[] =>
  endpoints.map((endpoint) => ({
    ...endpoint,
    path: `${prefix.slice(1)}${endpoint.path}`,
    atRoot: true,
  }))

/** Sets the OpenAPI group of endpoints. */
export const tagged = <Caller>(
  tag: string,
  endpoints: readonly Endpoint<Caller>[],
): Endpoint<Caller>[] => endpoints.map((endpoint) => ({ ...endpoint, tag }))

/** The schema of an answer that is only a text. */
export const saying = (detail: string) =>
  Type.Object({ detail: Type.String() }, { $id: 'Detail', examples: [{ detail }] })

/** The schema of an answer that only tells what was done. */
export const telling = (key: MessageKey) => saying(english.answers[key])
