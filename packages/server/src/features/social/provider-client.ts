import type { JWK } from 'jose'
import { usableKeys } from '../../crypto/id-token/signatures.ts'
import { HOUR, MINUTE } from '../../kernel/clock.ts'
import { unavailable } from '../../kernel/problems.ts'
import { createOutbound } from '../../outbound/create-outbound.ts'
import { createRemembered, type Remembered } from '../../outbound/remembered.ts'
import { authenticatedForm } from '../../outbound/request.ts'
import type { Context } from '../feature.ts'
import type { ConfiguredProvider } from './configuration/assemble-provider.ts'
import { discover, type Whereabouts } from './discovery.ts'
import type { App, ProviderRequest } from './providers/provider.ts'

/** A provider that can be called. */
export type ProviderClient = {
  config: ConfiguredProvider
  /** Where our own pages take people back; null if they are off. */
  pageUrl(): string | null
  whereabouts(): Promise<Whereabouts>
  keys: Remembered<JWK[]>
  /** Returns the answer, or null for a refusal. No answer is a 503. */
  ask(request: ProviderRequest, app: App): Promise<unknown>
}

const REMEMBERED = { lifetimeMs: HOUR, refreshMs: MINUTE }
const RETRY_SECONDS = 60

type Needs = Pick<Context, 'clock' | 'log' | 'outboundMs'> & Pick<ProviderClient, 'pageUrl'>

export function createProviderClient(
  config: ConfiguredProvider,
  { clock, log, pageUrl, outboundMs: timeoutMs }: Needs,
): ProviderClient {
  const { name: party, provider, origins, allowPrivate } = config
  const outbound = createOutbound({ party, origins, allowPrivate, clock, log, timeoutMs })
  const whereabouts = createRemembered(() => discover(config, outbound, log), {
    ...REMEMBERED,
    clock,
  })

  return {
    config,
    pageUrl,
    whereabouts: whereabouts.get,
    keys: createRemembered(loadKeys, { ...REMEMBERED, clock }),

    async ask({ formAsClient, ...request }, app) {
      const ready = formAsClient ? await asClient(request.url, formAsClient, app) : request
      const { status, body } = await outbound.call(ready)
      return status < 300 ? body : null
    },
  }

  async function loadKeys(): Promise<JWK[]> {
    const { endpoints } = await whereabouts.get()
    const answer = endpoints.keys ? await outbound.call({ url: endpoints.keys }) : null
    const keys = usableKeys(answer?.body)
    if (keys) return keys
    log.error(
      { provider: party },
      'the provider publishes no keys, so its tokens cannot be checked',
    )
    throw unavailable(RETRY_SECONDS).logged()
  }

  async function asClient(url: string, form: Record<string, string>, app: App) {
    const { clientAuth: method } = await whereabouts.get()
    const secret = (await provider.clientSecret?.(app, clock.now())) ?? app.secret
    return authenticatedForm(url, form, { method, clientId: app.clientId, secret })
  }
}
