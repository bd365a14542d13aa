import { isLoopback } from '../../../kernel/hosts.ts'
import { type Kind, textual } from '../../../kernel/setting-kinds/kind.ts'

const EXPECTED = 'an https:// address (http:// for this machine only)'

/** Whether secrets may be sent to this address. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password, hash } = new URL(address)
  if (username || password || hash) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Kept as written: `URL` would encode a placeholder in it. */
export const endpointUrl: Kind<string> = textual(EXPECTED, (input) =>
  isSafe(input) ? input : undefined,
)

/** A base address, to which paths are appended. */
export const baseUrl: Kind<string> = textual(EXPECTED, (input) =>
  isSafe(input) && !input.includes('?') ? input.replace(/\/+$/, '') : undefined,
)

/** A further host of a provider, turned into an origin. */
export const hostName: Kind<string> = textual('a host, host[:port]', (input) =>
  /^[a-z0-9.-]+(:\d+)?$/i.test(input) && URL.canParse(`https://${input}`)
    ? new URL(`https://${input}`).origin
    : undefined,
)

/** Where a provider sends people back to. `postmessage` is Google's word for its pop-ups. */
export const callbackUrl: Kind<string> = textual('an absolute URL', (input) =>
  input === 'postmessage' || URL.canParse(input) ? input : undefined,
)
