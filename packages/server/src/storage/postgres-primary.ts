import { messageOf } from '../kernel/log.ts'
import { hostUrls } from '../kernel/postgres-hosts.ts'
import { isStandBy, standBy } from './faults.ts'
import { type HostConfig, hostsOf, NO_DEADLINES, PostgresClient } from './postgres-client.ts'

/** A host that is silent must not delay the next search: a stand-by may become the primary soon. */
export const PROBE_PATIENCE_MS = 2000

/** The first host that accepts writes. */
export async function searchPrimary(
  hosts: readonly HostConfig[],
  probe: (host: HostConfig) => PostgresClient,
): Promise<HostConfig> {
  const tries = hosts.map(async (host) => {
    const client = probe(host)
    try {
      await client.connect()
    } finally {
      client.end().catch(() => {})
    }
    if (client.isReadOnly) throw standBy(`${nameOf(host)} is a stand-by`)
    return host
  })
  try {
    return await Promise.any(tries)
  } catch (error) {
    const reasons = (error as AggregateError).errors.map((reason, i) =>
      isStandBy(reason) ? reason.message : `${nameOf(hosts[i])}: ${messageOf(reason)}`,
    )
    throw standBy(`No host accepts writes (${reasons.join('; ')}).`)
  }
}

/** The URL of the host that accepts writes, for programs that can use only one. */
export async function primaryUrl(url: string): Promise<string> {
  const urls = hostUrls(url)
  const [only = url, ...others] = urls
  if (others.length === 0) return only
  const hosts = hostsOf(url)
  const options = { pooler: 'auto', connectMs: PROBE_PATIENCE_MS, ...NO_DEADLINES } as const
  const primary = await searchPrimary(hosts, (host) => new PostgresClient(host, options))
  return urls[hosts.indexOf(primary)] ?? url
}

export const nameOf = (host: HostConfig | undefined): string => `${host?.host}:${host?.port}`
