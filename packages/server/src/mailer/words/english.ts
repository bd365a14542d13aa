import type { LetterWords } from './letter-words.ts'

const NOT_YOU =
  'If this was not you, somebody else has access to your account. Set a new password now, and check which devices and ways to log in your account has.'
const ACCOUNT = 'Your username is {username}.'

/**
 * Every letter of the service in English. Another language is another table like this one.
 *
 * Strangers can trigger some letters to somebody else's address: `verify-email`,
 * `already-registered`, `change-email`, `address-wanted`, `login-code`, and the others until the
 * address is confirmed. These contain no words of the stranger. Otherwise strangers could send
 * their own messages through this service.
 */
const letters = {
  'verify-email': {
    subject: 'Confirm your e-mail address for {site}',
    body: `Hello,

You, or somebody else, registered at {site} with this e-mail address. To confirm that the address is yours, open this page and press the button:

{link}

If you did not register, do not confirm. You can ignore this mail.`,
  },
  'already-registered': {
    subject: 'You already have an account at {site}',
    body: `Hello,

You, or somebody else, tried to register at {site} with this e-mail address. You already have an account with this address, so no second account was created.

If it was you, log in to your account. If you have forgotten your password, ask for a new one on the login page. If it was not you, you can ignore this mail.`,
  },
  'change-email': {
    subject: 'Confirm your new e-mail address for {site}',
    body: `Hello,

You, or somebody else, asked to use this e-mail address for an account at {site}. To confirm that the address is yours, open this page and press the button:

{link}

If you did not ask for this, do not press the button. You can ignore this mail.`,
  },
  'address-wanted': {
    subject: 'Somebody asked for your e-mail address at {site}',
    body: `Hello,

You, or somebody else, asked to use this e-mail address for another account at {site}. You already have an account with this address, so nothing was changed.

If it was you, log in to that account. If it was not you, you can ignore this mail.`,
  },
  'email-change-requested': {
    subject: 'A new e-mail address for your account at {site}',
    body: `Hello,

You, or somebody else, asked to change the e-mail address of your account at {site}. The address changes when somebody opens the link in the mail to the new address and confirms it.

${ACCOUNT}

If it was not you, set a new password now. This also cancels the change.`,
  },
  'email-changed': {
    subject: 'The e-mail address of your account at {site} was changed',
    body: `Hello,

Your account at {site} now has another e-mail address. You will get no more mails about it here, and you can no longer ask for a new password with this address.

${ACCOUNT}

If it was not you, tell the operators of {site} now.`,
  },
  'login-code': {
    subject: 'Your code to log in to {site}',
    body: `Hello,

Use this code to log in to {site}:

{code}

It works once, and only for a few minutes.

If you did not ask for a code, you can ignore this mail: nobody can log in without it. Never tell the code to anybody.`,
  },
  'logins-ended': {
    subject: 'Your password for {site} no longer works',
    body: `Hello,

You have logged in to {site} with a code, and this confirmed your e-mail address. Somebody else may have created the account before. So its password no longer works, and all earlier logins were ended.

To log in with a password again, ask for a new one on the login page.`,
  },
  'reset-password': {
    subject: 'Choose a new password for {site}',
    body: `Hello,

You, or somebody else, asked for a new password for your account at {site}. To choose a new password, open this page:

{link}

${ACCOUNT}

The link works only once, and only for a short time. If you did not ask for it, you can ignore this mail. Your password stays the same.`,
  },
  'password-changed': {
    subject: 'Your password for {site} was changed',
    body: `Hello,

The password of your account at {site} was changed.

${ACCOUNT}

If this was not you, ask for a new password now. This also logs out everybody who is logged in to your account.`,
  },
  'account-deleted': {
    subject: 'Your account at {site} was deleted',
    body: `Hello,

Your account at {site} was deleted, with everything that belonged to it. This is the last mail about it.

Its username was {username}.

The account cannot be restored. If you want to come back, you can register again with the same address.`,
  },
  'mfa-activated': {
    subject: 'Two-step login is on for {site}',
    body: `Hello,

Your account at {site} now asks for a code from your authenticator app at every login. Keep your recovery codes in a safe place. You need them if you lose the app.

${ACCOUNT}

${NOT_YOU}`,
  },
  'mfa-deactivated': {
    subject: 'Two-step login is off for {site}',
    body: `Hello,

Your account at {site} no longer asks for a code from your authenticator app at login.

${ACCOUNT}

${NOT_YOU}`,
  },
  'mfa-guessed': {
    subject: 'Somebody is guessing your login codes at {site}',
    body: `Hello,

Somebody entered many wrong codes in the second step of a login to your account at {site}. No codes are accepted for a while.

${ACCOUNT}

If this was not you, somebody else knows your password. Set a new password now.`,
  },
  'recovery-codes-regenerated': {
    subject: 'You have new recovery codes for {site}',
    body: `Hello,

New recovery codes were created for your account at {site}. The old ones no longer work.

${ACCOUNT}

${NOT_YOU}`,
  },
  'passkey-added': {
    subject: 'A passkey was added to your account at {site}',
    body: `Hello,

A passkey was added to your account at {site}. It can be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account at {site}',
    body: `Hello,

A passkey was removed from your account at {site}. It can no longer be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'social-account-connected': {
    subject: 'An account was connected with your account at {site}',
    body: `Hello,

An account at another service was connected with your account at {site}. It can be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'social-account-disconnected': {
    subject: 'An account was disconnected from your account at {site}',
    body: `Hello,

An account at another service was disconnected from your account at {site}. It can no longer be used to log in.

${ACCOUNT}

${NOT_YOU}`,
  },
  'new-device': {
    subject: 'New login to your account at {site}',
    body: `Hello,

Somebody, hopefully you, logged in to your account at {site} from a new device.

It was {browser}, from the address {address}, on {time}.

${ACCOUNT}

If it was you, you do not have to do anything. If it was not you, ask for a new password now. This ends every login. Your account also shows all logins, and lets you end each of them.`,
  },
  'account-used': {
    subject: 'An operator of {site} is using your account',
    body: `Hello,

An operator of {site} has opened your account, for example to look into a problem. They can use it for at most 30 minutes. They can change neither your password nor your e-mail address, see none of your devices and other ways to log in, and cannot delete the account.

${ACCOUNT}

You do not have to do anything. To end it now, log out everywhere else in the list of your devices. If you do not know why somebody needs your account, ask the operators of {site}.`,
  },
  'additions-removed': {
    subject: 'Please set up your account at {site} again',
    body: `Hello,

You have chosen a new password for your account at {site}, or logged in with a code. Passkeys and connected accounts that were added before this e-mail address was confirmed were removed, because somebody else could have added them. Two-step login has not changed.

${ACCOUNT}

If you added them yourself, please add them again.`,
  },
} satisfies Record<string, Omit<LetterWords, 'language'>>

export type LetterName = keyof typeof letters

const tagged = Object.entries(letters).map(([name, words]) => [name, { language: 'en', ...words }])
export const english = Object.fromEntries(tagged) as Record<LetterName, LetterWords>
