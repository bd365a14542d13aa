import { type Kind, read, textual } from '../../../kernel/setting-kinds/kind.ts'
import { secureUrl } from '../../../kernel/setting-kinds/scalars.ts'

/** A base address, to which paths are appended. */
export const baseUrl: Kind<string> = textual(secureUrl.expected, (input) =>
  input.includes('?') ? undefined : read(secureUrl, input)?.replace(/\/+$/, ''),
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
