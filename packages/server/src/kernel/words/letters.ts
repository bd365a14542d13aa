import type { LetterName } from '../letter-names.ts'
import type { LetterText } from './text.ts'

const ACCOUNT = 'Your username is {username}.'
const NOT_YOU =
  'If this was not you, somebody else has access to your account. Set a new password now, and check which devices and ways to log in your account has.'

/** An English letter, which begins with a greeting, and a note for translators. */
const letter = (_note: string, { subject, body }: LetterText): LetterText => ({
  subject,
  body: ['Hello,', ...body],
})

/** A letter that reports a change, and what to do if somebody else made it. */
const notice = (note: string, subject: string, change: string): LetterText =>
  letter(note, { subject, body: [change, ACCOUNT, NOT_YOU] })

/**
 * Every letter of the service. {site} is the name of the site in all of them.
 *
 * Strangers can trigger some letters to somebody else's address: `verify-email`,
 * `already-registered`, `change-email`, `address-wanted`, `login-code`, and the others until the
 * address is confirmed. These contain no words of the stranger. Otherwise strangers could send
 * their own messages through this service.
 */
export const letters = {
  'verify-email': letter('After a registration. {link} is alone in its paragraph.', {
    subject: 'Confirm your e-mail address for {site}',
    body: [
      'You, or somebody else, registered at {site} with this e-mail address. To confirm that the address is yours, open this page and press the button:',
      '{link}',
      'If you did not register, do not confirm. You can ignore this mail.',
    ],
  }),
  'already-registered': letter('Somebody tried to register with the address of an account.', {
    subject: 'You already have an account at {site}',
    body: [
      'You, or somebody else, tried to register at {site} with this e-mail address. You already have an account with this address, so no second account was created.',
      'If it was you, log in to your account. If you have forgotten your password, ask for a new one on the login page. If it was not you, you can ignore this mail.',
    ],
  }),
  'change-email': letter('To the new address, before it belongs to the account.', {
    subject: 'Confirm your new e-mail address for {site}',
    body: [
      'You, or somebody else, asked to use this e-mail address for an account at {site}. To confirm that the address is yours, open this page and press the button:',
      '{link}',
      'If you did not ask for this, do not press the button. You can ignore this mail.',
    ],
  }),
  'address-wanted': letter('Somebody wants the address of this account for another one.', {
    subject: 'Somebody asked for your e-mail address at {site}',
    body: [
      'You, or somebody else, asked to use this e-mail address for another account at {site}. You already have an account with this address, so nothing was changed.',
      'If it was you, log in to that account. If it was not you, you can ignore this mail.',
    ],
  }),
  'email-change-requested': letter('To the old address. {username} is the name of the account.', {
    subject: 'A new e-mail address for your account at {site}',
    body: [
      'You, or somebody else, asked to change the e-mail address of your account at {site}. The address changes when somebody opens the link in the mail to the new address and confirms it.',
      ACCOUNT,
      'If it was not you, set a new password now. This also cancels the change.',
    ],
  }),
  'email-changed': letter('To the old address, after the change.', {
    subject: 'The e-mail address of your account at {site} was changed',
    body: [
      'Your account at {site} now has another e-mail address. You will get no more mails about it here, and you can no longer ask for a new password with this address.',
      ACCOUNT,
      'If it was not you, tell the operators of {site} now.',
    ],
  }),
  'login-code': letter('{code} is alone in its paragraph.', {
    subject: 'Your code to log in to {site}',
    body: [
      'Use this code to log in to {site}:',
      '{code}',
      'It works once, and only for a few minutes.',
      'If you did not ask for a code, you can ignore this mail: nobody can log in without it. Never tell the code to anybody.',
    ],
  }),
  'logins-ended': letter('After a login with a code: the address is proved only now.', {
    subject: 'Your password for {site} no longer works',
    body: [
      'You have logged in to {site} with a code, and this confirmed your e-mail address. Somebody else may have created the account before. So its password no longer works, and all earlier logins were ended.',
      'To log in with a password again, ask for a new one on the login page.',
    ],
  }),
  'reset-password': letter('The user forgot the password.', {
    subject: 'Choose a new password for {site}',
    body: [
      'You, or somebody else, asked for a new password for your account at {site}. To choose a new password, open this page:',
      '{link}',
      ACCOUNT,
      'The link works only once, and only for a short time. If you did not ask for it, you can ignore this mail. Your password stays the same.',
    ],
  }),
  'password-changed': letter('A notice. It tells the owner what to do if somebody else did it.', {
    subject: 'Your password for {site} was changed',
    body: [
      'The password of your account at {site} was changed.',
      ACCOUNT,
      'If this was not you, ask for a new password now. This also logs out everybody who is logged in to your account.',
    ],
  }),
  'account-deleted': letter('The last letter to this user.', {
    subject: 'Your account at {site} was deleted',
    body: [
      'Your account at {site} was deleted, with everything that belonged to it. This is the last mail about it.',
      'Its username was {username}.',
      'The account cannot be restored. If you want to come back, you can register again with the same address.',
    ],
  }),
  'mfa-activated': notice(
    'Two-step login: a code from an app after the password.',
    'Two-step login is on for {site}',
    'Your account at {site} now asks for a code from your authenticator app at every login. Keep your recovery codes in a safe place. You need them if you lose the app.',
  ),
  'mfa-deactivated': notice(
    'The same, switched off.',
    'Two-step login is off for {site}',
    'Your account at {site} no longer asks for a code from your authenticator app at login.',
  ),
  'mfa-guessed': letter('Somebody who knows the password guesses codes.', {
    subject: 'Somebody is guessing your login codes at {site}',
    body: [
      'Somebody entered many wrong codes in the second step of a login to your account at {site}. No codes are accepted for a while.',
      ACCOUNT,
      'If this was not you, somebody else knows your password. Set a new password now.',
    ],
  }),
  'recovery-codes-regenerated': notice(
    'Recovery codes replace the app if it is lost.',
    'You have new recovery codes for {site}',
    'New recovery codes were created for your account at {site}. The old ones no longer work.',
  ),
  'api-key-added': notice(
    'A notice. The key lets programs use the account.',
    'A key was added to your account at {site}',
    'A key for programs was added to your account at {site}. Anybody who has it can use your account as far as the key allows.',
  ),
  'passkey-added': notice(
    'A notice.',
    'A passkey was added to your account at {site}',
    'A passkey was added to your account at {site}. It can be used to log in.',
  ),
  'passkey-removed': notice(
    'A notice.',
    'A passkey was removed from your account at {site}',
    'A passkey was removed from your account at {site}. It can no longer be used to log in.',
  ),
  'social-account-connected': notice(
    'An account elsewhere, such as Google.',
    'An account was connected with your account at {site}',
    'An account at another service was connected with your account at {site}. It can be used to log in.',
  ),
  'social-account-disconnected': notice(
    'An account elsewhere, such as Google.',
    'An account was disconnected from your account at {site}',
    'An account at another service was disconnected from your account at {site}. It can no longer be used to log in.',
  ),
  'new-device': letter(
    '{browser} is a name such as “Firefox on Linux”, {address} a number of the network (IP), {time} a day and time.',
    {
      subject: 'New login to your account at {site}',
      body: [
        'Somebody, hopefully you, logged in to your account at {site} from a new device.',
        'It was {browser}, from the address {address}, on {time}.',
        ACCOUNT,
        'If it was you, you do not have to do anything. If it was not you, ask for a new password now. This ends every login. Your account also shows all logins, and lets you end each of them.',
      ],
    },
  ),
  'account-used': letter('An operator helps a user, and uses their account for it.', {
    subject: 'An operator of {site} is using your account',
    body: [
      'An operator of {site} has opened your account, for example to look into a problem. They can use it for at most 30 minutes. They can change neither your password nor your e-mail address, see none of your devices and other ways to log in, and cannot delete the account.',
      ACCOUNT,
      'You do not have to do anything. To end it now, log out everywhere else in the list of your devices. If you do not know why somebody needs your account, ask the operators of {site}.',
    ],
  }),
  'additions-removed': letter(
    'Everything that somebody else could have added before the address was proved is removed.',
    {
      subject: 'Please set up your account at {site} again',
      body: [
        'You have chosen a new password for your account at {site}, or logged in with a code. Passkeys and connected accounts that were added before this e-mail address was confirmed were removed, because somebody else could have added them. Two-step login has not changed.',
        ACCOUNT,
        'If you added them yourself, please add them again.',
      ],
    },
  ),
  invitation: letter('{date} is a day.', {
    subject: 'You are invited to {site}',
    body: [
      'You are invited to create an account at {site}. To accept, open this page:',
      '{link}',
      'The invitation works once, and only until {date}. If you did not expect it, you can ignore this mail.',
    ],
  }),
} satisfies Readonly<Record<LetterName, LetterText>>
