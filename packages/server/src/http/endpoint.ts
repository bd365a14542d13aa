import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../core/identity.ts'
import type { ClientLimit } from '../core/limits.ts'
import type { Fault, FaultCode, Problem, RefusalCode } from '../kernel/problems.ts'
import type { BodyOf, Fields } from './fields.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call, and which credentials are looked at:
 * - `public`: anybody; none is looked at
 * - `by-link`: anybody who was sent the link, which is the proof; pages of ours, without scripts
 * - `opens-session`: anybody, and the answer may set a cookie, so the Origin is checked
 * - `anyone`: anybody; a good credential is used, a bad one ignored
 * - `if-signed-in`: anybody; a bad `Authorization` is refused, a stale cookie ignored
 * - `signed-in`: only with a good credential
 */
export type Access =
  | 'public'
  | 'by-link'
  | 'opens-session'
  | 'anyone'
  | 'if-signed-in'
  | 'signed-in'

type IdentityFor<A extends Access> = A extends 'signed-in'
  ? Identity
  : A extends 'anyone' | 'if-signed-in'
    ? Identity | null
    : null

/** What a handler gets: the body is read and checked, the caller known, the limit taken. */
export type Call<F extends Fields = Fields, A extends Access = Access> = {
  body: BodyOf<F>
  identity: IdentityFor<A>
  params: Record<string, string>
  /** The client's address, as the throttle counts it. */
  address: string
  /** Told when the client goes away before it has its answer. */
  readonly gone: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

/** What a check of single fields gets: those that are fine so far. */
type FieldCheck<F extends Fields = Fields, A extends Access = Access> = Pick<
  Call<F, A>,
  'identity' | 'address' | 'gone'
> & { body: Partial<BodyOf<F>> }

/** The schema of each good answer by its status; null for an answer without a body. */
type Replies = Record<number, TSchema | null>

type AnswerOf<R extends Replies> = {
  [Status in keyof R]: R[Status] extends TSchema ? Static<R[Status]> : undefined
}[keyof R]

/** By its code; or made, where its body depends on more than that. */
export type Refusal = RefusalCode | (() => Problem)

type Declaration<F extends Fields, A extends Access, R extends Replies> = {
  method: Method
  /** What follows the prefix, with its trailing slash; served without it, too. */
  path: string
  operationId: string
  summary: string
  access: A
  throttle: 'auth_service' | 'none'
  /** What else is counted per client address, since anybody may ask for it. */
  limit?: ClientLimit
  /** False for what is not part of the interface. */
  documented?: false
  body?: F
  /** Checks of single fields that need more than the text; told together with all others. */
  check?(call: FieldCheck<F, A>): Promise<Record<string, readonly Fault[]>>
  replies: R
  /** What its service can refuse; what access, throttle and fields refuse is known without it. */
  refusals?: readonly Refusal[]
  /** What its service can find wrong with single fields, beyond what these say themselves. */
  faults?: { readonly [Name in keyof F]?: readonly (FaultCode | Fault)[] }
  /** Those of a usual request, for its example; all, unless said. */
  usualFields?: readonly (keyof F & string)[]
  /** The statuses under which it shows a page that says no, and what that means. */
  pages?: Readonly<Record<number, string>>
  handle(call: Call<F, A>): Promise<AnswerOf<R>>
  /** What is done to the answer even where the request is refused, be it for its credential. */
  onRefusal?(call: Pick<Call, 'request' | 'reply'> & { refusal: Problem }): void
}

/** An endpoint whose particular types have done their work. */
export type Endpoint = Omit<Declaration<Fields, Access, Replies>, 'handle' | 'check'> & {
  /** The part of the service that it belongs to. */
  tag?: string
  check?(call: FieldCheck): Promise<Record<string, readonly Fault[]>>
  handle(call: Call): Promise<unknown>
}

/** An endpoint is a value: forgetting its access or its throttle does not compile. */
export const endpoint = <F extends Fields, A extends Access, R extends Replies>(
  declaration: Declaration<F, A, R>,
): Endpoint => declaration as unknown as Endpoint

/** The endpoints of one part of the service. */
export const tagged = (tag: string, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({ ...endpoint, tag }))
