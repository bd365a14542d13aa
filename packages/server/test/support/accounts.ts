import type { Letter } from '../../src/features/mail/letter.ts'
import { lettersIn } from './letters.ts'
import type { StartedAuth } from './start-auth.ts'

export const STRONG = 'Nn-5566-yy-lantern'

/** The newest letter of that kind to that address. */
async function letterTo(started: StartedAuth, to: string, template: Letter['template']) {
  const letters = (await lettersIn(started)).filter((l) => l.to === to && l.template === template)
  const letter = letters.at(-1)
  if (!letter) throw new Error(`No letter ${template} to ${to}.`)
  return letter
}

/** Asks for a reset and reads the uid and the token out of the mail. */
export async function requestReset(started: StartedAuth, email: string) {
  await started.request.post('password/reset/', { email })
  const { values } = await letterTo(started, email, 'reset-password')
  const [, uid = '', token = ''] = /confirm\/([^/]+)\/([^/]+)\/$/.exec(values.link ?? '') ?? []
  return { uid, token, link: values.link ?? '' }
}

/** The key in the newest verification mail. */
export async function verificationKey(started: StartedAuth, email: string): Promise<string> {
  const { values } = await letterTo(started, email, 'verify-email')
  return /account-confirm-email\/([^/]+)\/$/.exec(values.link ?? '')?.[1] ?? ''
}

export const twice = (password: string) => ({ new_password1: password, new_password2: password })

export const signup = (username: string, email = `${username}@example.com`) => ({
  username,
  email,
  password1: STRONG,
  password2: STRONG,
})
