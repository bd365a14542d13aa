import { wordedProblems } from '../problem-table.ts'
import { noted } from './text.ts'

type Rows = typeof wordedProblems
type WordsOfRows = { readonly [Code in keyof Rows]: Rows[Code]['words'] }

const refusals = Object.fromEntries(
  Object.entries(wordedProblems).map(([code, { words }]) => [code, words]),
) as WordsOfRows

/** What the service says after it has done something. */
export const messages = noted('What has been done. These are no errors.', {
  logged_out: 'Successfully logged out.',
  token_left:
    'Neither cookies or blacklist are enabled, so the token has not been deleted server side. Please make sure the token is deleted client side.',
  verification_sent: 'Verification e-mail sent.',
  account_deleted: 'Account deleted.',
  reset_sent: 'Password reset e-mail has been sent.',
  password_reset: 'Password has been reset with the new password.',
  password_saved: 'New password has been saved.',
  totp_deactivated: 'TOTP has been deactivated.',
  social_disconnected: 'Social account disconnected.',
  login_code_sent: 'If there is such an account, a code has been sent.',
  others_ended: 'Logged out everywhere else.',
})

/** What the service says in its answers, by code: why it refuses, or what it has done. */
export const answers = { ...refusals, ...messages }

/** The parts of an account that a password can be too similar to. */
export const attributes = noted(
  'In the middle of a sentence: “The password is too similar to the username.”',
  {
    username: 'username',
    email: 'email address',
    first_name: 'first name',
    last_name: 'last name',
  },
)
