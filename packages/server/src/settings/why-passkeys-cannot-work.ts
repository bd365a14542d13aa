import { isAddress } from '../kernel/hosts.ts'
import type { Settings } from './settings.ts'

type Slice = Pick<Settings, 'REST_AUTH' | 'PUBLIC_URL'>

/** Tells the operator why passkeys cannot work with these settings. Null if they can. */
export function whyPasskeysCannotWork({ REST_AUTH, PUBLIC_URL }: Slice): string | null {
  const { PASSKEY_RP_ID: id, PASSKEY_RP_ORIGINS: origins } = REST_AUTH
  const hint =
    'Set PUBLIC_URL, or REST_AUTH.PASSKEY_RP_ID and REST_AUTH.PASSKEY_RP_ORIGINS, to an https address with a domain.'
  if (isAddress(id)) {
    return `Passkeys are off: the relying party "${id}" is an IP address, and passkeys belong to domains. ${hint}`
  }
  if (!isDomain(id)) return `Passkeys are off: "${id}" is not a domain. ${hint}`
  if (!origins.some((origin) => isSecureOriginOf(origin, id))) {
    return `Passkeys are off: none of the origins ${origins.join(', ')} (PUBLIC_URL is ${PUBLIC_URL}) is an https origin of "${id}"; plain http is for localhost only. ${hint}`
  }
  return null
}

/** Whether passkeys work on the pages of the service. Its origins may be those of an app alone. */
export function passkeysWorkOnPages({ REST_AUTH, PUBLIC_URL }: Slice): boolean {
  const { origin: ours } = new URL(PUBLIC_URL)
  const own = REST_AUTH.PASSKEY_RP_ORIGINS.filter((origin) => origin === ours)
  const pages = { ...REST_AUTH, PASSKEY_RP_ORIGINS: own }
  return whyPasskeysCannotWork({ REST_AUTH: pages, PUBLIC_URL }) === null
}

const isDomain = (id: string): boolean => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(id)

/** Browsers offer passkeys only to secure pages of the domain or its subdomains. */
function isSecureOriginOf(origin: string, id: string): boolean {
  // An app. The phone itself checks that it belongs to the domain.
  if (origin.startsWith('android:')) return true
  const { protocol, hostname } = new URL(origin)
  if (hostname !== id && !hostname.endsWith(`.${id}`)) return false
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}
