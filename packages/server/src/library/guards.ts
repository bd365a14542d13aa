import type { Service } from '../compose-service.ts'
import { answerTo, asRefusal, type RefusalAnswer } from '../http/error-handler.ts'
import type { Auth, AuthUser, Guard, HostReply, HostRequest, Middleware, Next } from './auth.ts'
import { askedBy, isOfFetch } from './host-request.ts'
import { createIdentify } from './identify.ts'
import { addVary, RequestRefused, sendRefusal, variedBy } from './refuse.ts'

type Callers = Pick<Auth, 'identify' | 'withUser' | 'requireUser' | 'requireFresh' | 'requireScope'>
type Find<Found> = (request: HostRequest) => Promise<Found>

/** How routes of a host authenticate their callers. */
export function createGuards(service: Service): Callers {
  const callers = createIdentify(service)
  const varied = variedBy(service.languages)

  return {
    identify: callers.ifSignedIn,
    withUser: middleware(callers.ifSignedIn),
    requireUser: guard((request) => callers.signedIn(request)),
    requireFresh: guard((request) => callers.signedIn(request, { mustBeFresh: true })),
    requireScope: (scope) => guard((request) => callers.signedIn(request, { scope })),
  }

  function middleware(find: Find<AuthUser | null>): Middleware {
    return (request, reply, next) => {
      addVary(reply, varied)
      find(request)
        .then((user) => {
          Object.assign(request, { user })
        })
        .then(
          () => next(),
          (error) => {
            const answer = answerOf(error, request)
            if (answer) sendRefusal(answer, reply)
            else next(error)
          },
        )
    }
  }

  function guard(find: Find<AuthUser>): Guard {
    const hook = middleware(find)
    const handle = (request: HostRequest, reply?: HostReply, next?: Next) =>
      isOfFetch(request) || !reply || !next
        ? find(request).catch((error) => refuse(error, request))
        : hook(request as Parameters<Middleware>[0], reply, next)
    return handle as Guard
  }

  function refuse(error: unknown, request: HostRequest): never {
    const answer = answerOf(error, request)
    throw answer ? new RequestRefused(answer, varied) : error
  }

  /** Returns null for an error that is not a refusal. The host must handle it. */
  function answerOf(error: unknown, request: HostRequest): RefusalAnswer | null {
    const refusal = asRefusal(error)
    return refusal && answerTo(refusal, askedBy(request).asking, service)
  }
}
