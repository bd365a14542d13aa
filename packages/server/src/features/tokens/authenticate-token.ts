import type { Authenticator } from '../../http/authenticate.ts'
import { problem } from '../../kernel/problems.ts'
import type { Tokens } from './tokens.ts'

/** `Authorization: Token <key>` */
export const authenticateToken = (tokens: Tokens): Authenticator => ({
  name: 'token',
  schemes: ['token'],
  async fromHeader(key) {
    if (key === '') throw problem('token_header_empty')
    if (key.includes(' ')) throw problem('token_header_spaces')
    return tokens.identify(key)
  },
})
