import type { Words } from './words.ts'

const NOT_YOU =
  'If that was not you, set a new password at once and see which devices and sign-in methods your account has.'
const ACCOUNT = 'Your username is {username}.'

/**
 * Every letter of the service in English. Another language is another table like this one.
 *
 * A stranger can cause some letters to somebody else's address: `verify-email`,
 * `already-registered`, and the others until the address is confirmed. These contain no word that
 * the stranger chose.
 */
export const english = {
  'verify-email': {
    subject: 'Confirm your e-mail address for {site}',
    body: `Hello,

somebody, hopefully you, gave this address when registering at {site}. To confirm that it is yours, open this page and press the button on it:

{link}

If you did not register, there is nothing you need to do.`,
  },
  'already-registered': {
    subject: 'You already have an account at {site}',
    body: `Hello,

somebody, maybe you, tried to register at {site} with this address, which belongs to an account already. No second account was made.

If it was you, log in as before; should you have forgotten the password, ask for a new one there. If it was not you, there is nothing you need to do.`,
  },
  'reset-password': {
    subject: 'Choose a new password for {site}',
    body: `Hello,

somebody, hopefully you, asked for a new password for your account at {site}. To choose one, open this page:

{link}

${ACCOUNT}

The link works once and for a short time only. If you did not ask for it, there is nothing you need to do: your password stays as it is.`,
  },
  'password-changed': {
    subject: 'Your password for {site} was changed',
    body: `Hello,

the password of your account at {site} was changed.

${ACCOUNT}

If that was not you, ask for a new password at once; this ends every session of whoever did it.`,
  },
  'mfa-activated': {
    subject: 'Two-step login is on for {site}',
    body: `Hello,

your account at {site} now asks for a code of your authenticator app at every login. Keep the recovery codes in a safe place.

${ACCOUNT}

${NOT_YOU}`,
  },
  'mfa-deactivated': {
    subject: 'Two-step login is off for {site}',
    body: `Hello,

your account at {site} no longer asks for a code of your authenticator app at login.

${ACCOUNT}

${NOT_YOU}`,
  },
  'mfa-guessed': {
    subject: 'Somebody is guessing your login codes at {site}',
    body: `Hello,

somebody entered many wrong codes in the second step of a login to your account at {site}. No more codes are accepted for a while.

${ACCOUNT}

Whoever it was knows your password. If that was not you, set a new one at once.`,
  },
  'recovery-codes-regenerated': {
    subject: 'You have new recovery codes for {site}',
    body: `Hello,

new recovery codes were made for your account at {site}. The old ones no longer work.

${ACCOUNT}

${NOT_YOU}`,
  },
  'passkey-added': {
    subject: 'A passkey was added to your account at {site}',
    body: `Hello,

a passkey was added to your account at {site}, and can be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account at {site}',
    body: `Hello,

a passkey was removed from your account at {site}, and can no longer be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'social-account-connected': {
    subject: 'Another way to log in to {site}',
    body: `Hello,

an account of another service was connected with your account at {site}, and can be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'social-account-disconnected': {
    subject: 'One way less to log in to {site}',
    body: `Hello,

an account of another service was disconnected from your account at {site}, and can no longer be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'new-device': {
    subject: 'New login to your account at {site}',
    body: `Hello,

somebody, hopefully you, has logged in to your account at {site} from a device that you have not used there before.

It was {browser}, from the address {address}, on {time}.

${ACCOUNT}

If it was you, there is nothing you need to do. If it was not you, ask for a new password at once; this ends every login. Single logins can be seen and ended in your account.`,
  },
  'additions-removed': {
    subject: 'Please set up your account at {site} again',
    body: `Hello,

this address is now confirmed for your account at {site}. Two-step login, passkeys and connected accounts that were added before have been removed, since somebody else may have added them.

${ACCOUNT}

If they were yours, add them again.`,
  },
} satisfies Record<string, Words>

export type LetterName = keyof typeof english
