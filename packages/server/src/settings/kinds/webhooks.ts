import { EVENT_KINDS, type EventKind } from '../../kernel/event-kinds.ts'
import { isAddress, isLoopback, withoutBrackets } from '../../kernel/hosts.ts'
import { list, record } from '../../kernel/setting-kinds/compounds.ts'
import {
  collect,
  inside,
  type Kind,
  kind,
  MASK,
  type Parsed,
  read,
  textual,
  wrongValue,
} from '../../kernel/setting-kinds/kind.ts'
import { choice, flag } from '../../kernel/setting-kinds/scalars.ts'
import { isPublic } from '../../outbound/addresses.ts'

/** Another program that receives events over HTTP. */
export type Webhook = {
  readonly url: string
  readonly events: readonly EventKind[]
  /** Each signs, so that the receiver can learn a new secret before the old one is removed. */
  readonly secret: readonly string[]
  readonly allow_private_network: boolean
}

type WebhookInput = {
  readonly url: string
  readonly events?: readonly EventKind[]
  readonly secret: string | readonly string[]
  readonly allow_private_network?: boolean
}

export const WEBHOOK_SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = { least: 24, most: 64 }

const SECRET_EXPECTED = `${WEBHOOK_SECRET_PREFIX} and the base64 of ${SECRET_BYTES.least} to ${SECRET_BYTES.most} random bytes, such as "echo ${WEBHOOK_SECRET_PREFIX}$(openssl rand -base64 32)" prints`

const signingSecret = textual(SECRET_EXPECTED, (input) => {
  const base64 = input.slice(WEBHOOK_SECRET_PREFIX.length)
  const bytes = Buffer.from(base64, 'base64')
  const isWhole = input.startsWith(WEBHOOK_SECRET_PREFIX) && bytes.toString('base64') === base64
  const isLong = bytes.length >= SECRET_BYTES.least && bytes.length <= SECRET_BYTES.most
  return isWhole && isLong ? input : undefined
})

/** One secret, or a list of them. */
const signingSecrets = kind(`${SECRET_EXPECTED}; or a list of such`, (input) =>
  read(list(signingSecret, { least: 1 }), input),
)

const URL_EXPECTED =
  'an https:// address outside private networks (http:// for this machine; both for your own network, with "allow_private_network": true)'

const declaration = record(
  {
    url: textual('an absolute URL', (input) => (URL.canParse(input) ? input : undefined)),
    events: list(choice(EVENT_KINDS), { least: 1 }),
    secret: signingSecrets,
    allow_private_network: flag,
  },
  (given) => given,
)

const EXPECTED =
  'a list of objects, such as [{"url": "https://app.example.com/hooks", "secret": "whsec_…"}]'

export const webhooks: Kind<readonly Webhook[], readonly WebhookInput[]> = {
  expected: EXPECTED,
  // A refused value may contain a secret, so it is not quoted.
  secret: true,
  record: false,
  parse(input) {
    const items = read(anyList, input)
    if (!items) return wrongValue(input, EXPECTED)
    const parsed = collect(items.map((item, n) => inside(String(n), parseWebhook(item))))
    if ('mistakes' in parsed) return parsed
    const urls = parsed.value.map((webhook) => webhook.url)
    const twice = urls.findIndex((one, n) => urls.indexOf(one) < n)
    if (twice < 0) return parsed
    return wrongValue(urls[twice], 'another URL for each webhook', String(twice), 'url')
  },
  show(all) {
    if (all.length === 0) return 'none'
    const urls = shownUrls(all)
    const shown = all.map(({ secret, ...one }, n) => ({
      ...one,
      url: urls[n],
      secret: secret.map(() => MASK),
    }))
    return JSON.stringify(shown)
  },
}

/**
 * The origins of the receivers, since path and query may contain a key. Receivers that share an
 * origin also get their index in the setting.
 */
export function shownUrls(all: readonly Pick<Webhook, 'url'>[]): string[] {
  const origins = all.map(({ url }) => new URL(url).origin)
  const isShared = (origin: string) => origins.indexOf(origin) !== origins.lastIndexOf(origin)
  return origins.map((origin, n) => (isShared(origin) ? `${origin} (WEBHOOKS.${n})` : origin))
}

/** The items can be any objects. Text with commas is refused. */
const anyList = list(
  kind<unknown>('an object', (input) => (typeof input === 'object' ? input : undefined)),
)

function parseWebhook(input: unknown): Parsed<Webhook> {
  const parsed = declaration.parse(input)
  if ('mistakes' in parsed) return parsed
  const { url, events = EVENT_KINDS, secret, allow_private_network = false } = parsed.value
  if (secret === undefined) return wrongValue(secret, SECRET_EXPECTED, 'secret')
  if (url === undefined || !mayBeCalled(url, allow_private_network)) {
    return wrongValue(url, URL_EXPECTED, 'url')
  }
  return { value: { url, events, secret, allow_private_network } }
}

/** The address behind a host name is checked at each call, when the name is resolved. */
function mayBeCalled(text: string, isPrivateAllowed: boolean): boolean {
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (!/^https?:$/.test(protocol) || username || password || hash) return false
  if (isLoopback(hostname)) return true
  const isOutside = isAddress(hostname) && isPublic(withoutBrackets(hostname))
  if (protocol === 'http:') return isPrivateAllowed && !isOutside
  return isPrivateAllowed || isOutside || !isAddress(hostname)
}
