import { PASSWORD, type StartedAuth, startAuth } from './start-auth.ts'

export const ADA = 'ada@example.com'
export const NEW = 'ada@new.example'
export const SENT = { detail: 'Verification e-mail sent.' }

/** A service with Ada, who has a proved address and is logged in. */
export async function startWithAda(settings: Parameters<typeof startAuth>[0] = {}) {
  const auth = await startAuth(settings)
  const token = await auth.createUserWithToken('ada')
  const { request } = auth
  return {
    ...auth,
    token,
    /** Asks for another address. */
    ask: (email: unknown = NEW, password: unknown = PASSWORD) =>
      request.post('email/change/', { email, password }, { token }),
    confirm: (key: unknown) => request.post('email/change/confirm/', { key }),
    show: async () => (await request.get('email/', { token })).body,
  }
}

/** The key in the newest mail to a new address. */
export async function changeKey({ mail }: StartedAuth, email = NEW): Promise<string> {
  const { values } = await mail.newest('change-email', email)
  return values.key ?? ''
}
