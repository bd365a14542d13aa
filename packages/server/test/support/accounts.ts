import type { StartedAuth } from './start-auth.ts'

export const STRONG = 'Nn-5566-yy-lantern'

/** Asks for a reset and reads the uid and the token out of the mail. */
export async function requestReset(started: StartedAuth, email: string) {
  await started.request.post('password/reset/', { email })
  const { values } = await started.mail.newest('reset-password', email)
  const { uid = '', token = '', link = '' } = values
  return { uid, token, link }
}

/** The key in the newest verification mail. */
export async function verificationKey(started: StartedAuth, email: string): Promise<string> {
  const { values } = await started.mail.newest('verify-email', email)
  return values.key ?? ''
}

export const twice = (password: string) => ({ new_password1: password, new_password2: password })

export const signup = (username: string, email = `${username}@example.com`) => ({
  username,
  email,
  password1: STRONG,
  password2: STRONG,
})
