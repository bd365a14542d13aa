import { accountPages } from './account-pages.ts'
import { plainPages } from './plain-pages.ts'
import { noted } from './text.ts'

/** The hosted pages. Their tone is friendlier than that of the answers. */
export const pages = {
  ...noted('On every page: links, buttons and short remarks.', {
    toLogin: 'Go to sign in',
    toAccount: 'Go to your account',
    back: 'Back',
    cancel: 'Cancel',
    optional: 'optional',
    or: 'or',
  }),
  ...noted('Something went wrong. {wait} is a time with its unit, such as “12 seconds”.', {
    'errors.network': 'We could not reach the service. Check your connection and try again.',
    'errors.unknown': 'Something went wrong on our side. Please try again in a moment.',
    'errors.throttled': 'Too many attempts. Please try again in {wait}.',
  }),
  ...noted('The answer of the service with this code, in friendlier words.', {
    'error.required': 'Please fill this in.',
    'error.blank': 'Please fill this in.',
    'error.wrong_credentials': 'The name or the password is wrong.',
    'error.email_and_password_needed': 'Please enter your e-mail address and your password.',
    'error.username_and_password_needed': 'Please enter your username and your password.',
    'error.identifier_and_password_needed': 'Please enter your name and your password.',
    'error.reauthentication_required': 'Please confirm first that it is you.',
    'error.password_too_similar':
      'This password is too similar to your name or your e-mail address.',
  }),
  ...noted('Labels of fields.', {
    'field.username': 'Username',
    'field.email': 'E-mail address',
    'field.usernameOrEmail': 'Username or e-mail address',
    'field.first_name': 'First name',
    'field.last_name': 'Last name',
    'field.language': 'Language',
    'field.code': 'Code',
    'field.anyCode': 'Code from your authenticator app, or a recovery code',
    'password.label': 'Password',
    'password.new': 'New password',
  }),
  ...noted('The name of a device. {browser} and {system} are names, such as Firefox and Android.', {
    'devices.unknown': 'Unknown device',
    'devices.on': '{browser} on {system}',
  }),
  ...noted('Below a field for a list.', { 'profile.listHint': 'One per line' }),
  ...noted('A button beside a password, and how strong a new password is.', {
    'password.show': 'Show',
    'password.hide': 'Hide',
    'password.strength.0': 'Too short',
    'password.strength.1': 'Weak',
    'password.strength.2': 'Fair',
    'password.strength.3': 'Good',
    'password.strength.4': 'Strong',
  }),
  ...noted('A captcha, and what is shown instead if it cannot be loaded. {host} is a server.', {
    'captcha.label': 'Security check',
    'captcha.failed':
      'The security check could not be loaded. Check your connection, allow {host} if something blocks it, and try again.',
  }),
  ...noted('The page for signing in. {provider} is a name, such as Google.', {
    'login.title': 'Sign in',
    'login.forgot': 'Forgot your password?',
    'login.passkey': 'Sign in with a passkey',
    'login.passkeyFailed': 'No passkey was used. Try again, or sign in with your password.',
    'login.byCode': 'Get a code by e-mail',
    'login.with': 'Continue with {provider}',
    'login.noAccount': 'No account yet?',
    'login.register': 'Create one',
    'login.late': 'That took too long, or too many codes were wrong. Please sign in again.',
    'login.noCookies':
      'Your browser blocks the cookies of this site, so you cannot sign in. Allow them, and reload the page.',
  }),
  ...noted('Signing in with a code that is sent by e-mail.', {
    'code.title': 'Sign in with a code',
    'code.text': 'We will send a code to the e-mail address of your account.',
    'code.send': 'Send the code',
    'code.sent': 'If there is such an account, we have sent a code to its e-mail address.',
    'code.startOver': 'Send another code',
  }),
  ...noted('The second step of signing in. {site} is the name of the site.', {
    'twoFactor.title': 'Second step',
    'twoFactor.text': 'Enter the code that your authenticator app shows for {site}.',
    'twoFactor.recoveryText': 'Enter one of the recovery codes that you saved. Each works once.',
    'twoFactor.button': 'Continue',
    'twoFactor.useRecovery': 'Use a recovery code instead',
    'twoFactor.useApp': 'Use the authenticator app instead',
    'twoFactor.recoveryCode': 'Recovery code',
  }),
  ...noted('Creating an account.', {
    'register.title': 'Create your account',
    'register.button': 'Create account',
    'register.hasAccount': 'Already have an account?',
    'register.made': 'Your account has been created',
  }),
  ...noted('After an e-mail was sent. {email} is an address.', {
    'checkMail.title': 'Check your mail',
    'checkMail.text': 'We have sent you an e-mail with a link. Open it to continue.',
    'checkMail.textTo': 'We have sent an e-mail to {email}. Open the link in it to continue.',
    'checkMail.spam':
      'Nothing there after a few minutes? Check your spam folder, or ask for another e-mail.',
    'checkMail.again': 'Send it again',
    'checkMail.sentAgain': 'Sent again.',
  }),
  ...noted('Somebody wants to sign in before they have confirmed their address.', {
    'unconfirmed.title': 'Confirm your e-mail address',
    'unconfirmed.text':
      'Your e-mail address is not confirmed yet. Enter it, and we will send you a link to confirm it.',
  }),
  ...noted('Asking for an e-mail to choose a new password.', {
    'forgot.title': 'Forgot your password?',
    'forgot.text':
      'Enter your e-mail address. If it belongs to an account, we will send you a link to choose a new password.',
    'forgot.button': 'Send the link',
  }),
  ...noted('Choosing a new password, after a click on the link in that e-mail.', {
    'reset.title': 'Choose a new password',
    'reset.button': 'Set the new password',
    'reset.done.title': 'Your password has been changed',
    'reset.done.text': 'You have been signed out everywhere. Sign in with your new password.',
  }),
  ...noted('Coming back from {provider}, such as Google.', {
    'callback.title': 'One moment',
    'callback.text': 'Signing you in with {provider}…',
    'callback.foreign': 'This sign-in did not start here, or it took too long. Please start again.',
    'callback.refused': '{provider} did not sign you in.',
    'callback.down':
      '{provider} cannot be reached at the moment. Please try again later, or sign in another way.',
  }),
  ...noted('Instead of the form for a new account, where not everybody may create one.', {
    'register.byInvitation':
      'You need an invitation to create an account here. Open the link in the e-mail that invites you.',
    'register.closed': 'New accounts cannot be created here at the moment.',
  }),
  ...noted('Below the form for a new account: other ways to create it.', {
    'register.usePasskey': 'Use a passkey instead of a password',
    'register.usePassword': 'Use a password instead',
    'passkeys.failed': 'No passkey was created.',
  }),
  ...noted('After a click on the link in an invitation. {email} is an address.', {
    'invitation.title': 'You are invited',
    'invitation.text': 'Your account will have the address {email}.',
    'invitation.tooLate.text':
      'It has already been used, it was revoked, or it has expired. Ask for another invitation.',
  }),
  ...plainPages,
  ...accountPages,
}
