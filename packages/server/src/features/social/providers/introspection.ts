import { at, textAt } from '../json.ts'
import type { TokenCheck } from './provider.ts'

/** RFC 7662. */
export const introspection: TokenCheck = {
  request: ({ url, accessToken }) => ({ url, formAsClient: { token: accessToken } }),
  read: (answer) => ({
    clientId: at(answer, 'active') === true ? textAt(answer, 'client_id') : null,
    subject: textAt(answer, 'sub'),
  }),
}
