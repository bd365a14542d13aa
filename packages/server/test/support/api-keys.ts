import type { UncheckedSettings } from '../../src/settings/settings.ts'
import type { Reply } from './client.ts'
import { type Mode, startMode } from './modes.ts'

export type MadeKey = {
  id: number
  name: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  key: string
}

export const KEYS = { API_KEYS: true, API_KEY_SCOPES: ['orders:read', 'orders:write'] }

export const NO_SCOPE = [
  403,
  { detail: 'This key is not allowed to do this.', code: 'api_key_scope_missing' },
] as const

/** A service with keys of users, and Ada, who is logged in and has a proved address. */
export async function startKeys(
  input: UncheckedSettings = {},
  { mode = 'token', ...options }: { mode?: Mode } & Parameters<typeof startMode>[2] = {},
) {
  const started = await startMode(mode, { ...KEYS, ...input }, options)
  const ada = await started.logIn()

  const ask = (given: object = {}, caller: Pick<typeof ada, 'post'> = ada): Promise<Reply> =>
    caller.post('tokens/', { name: 'backup', scopes: ['user:read'], ...given })

  async function make(given: object = {}, caller: Pick<typeof ada, 'post'> = ada) {
    const reply = await ask(given, caller)
    if (reply.status !== 201) throw new Error(`tokens/ answered ${JSON.stringify(reply.body)}`)
    return reply.body as MadeKey
  }

  const use = ({ key }: Pick<MadeKey, 'key'>) => started.request.get('user/', { token: key })

  return { ...started, ada, ask, make, use }
}
