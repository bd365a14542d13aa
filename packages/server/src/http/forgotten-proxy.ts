import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Log } from '../kernel/log.ts'

const WORDS =
  'A request came through a proxy (X-Forwarded-For, from a private address), but REST_FRAMEWORK.NUM_PROXIES is 0. So all users count as one client and share its limits. Set it to the number of proxies in front of the service, usually 1.'

/** Warns once if a proxy seems to be in front of the service, and the settings do not name it. */
export function createForgottenProxy(log: Pick<Log, 'warn'>, proxies: number) {
  let isDone = proxies > 0
  return (request: Pick<FastifyRequest, 'headers' | 'raw'>): void => {
    if (isDone || request.headers['x-forwarded-for'] === undefined) return
    if (!isPrivate(request.raw.socket.remoteAddress ?? '')) return
    isDone = true
    log.warn({ proxies }, WORDS)
  }
}

/** Only such an address can be a proxy of one's own. Any client can send the header. */
const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) &&
  ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(
    ipaddr.process(address).range(),
  )
