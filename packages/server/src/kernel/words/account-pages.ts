import { noted } from './text.ts'

/** The page of those who are signed in, which is as large as all others together. */
export const accountPages = {
  ...noted('The page of one’s own account.', {
    'account.title': 'Your account',
    'account.signOut': 'Sign out',
    save: 'Save',
    saved: 'Saved.',
    'login.signedOut': 'You have been signed out. Please sign in again.',
    'account.verify': 'Send the confirmation e-mail',
    'account.verifySent': 'Sent. Check your mailbox.',
  }),
  ...noted(
    'An operator uses the account of a user, to help them. {operator} is the operator’s name.',
    {
      'impersonation.banner':
        'You, {operator}, are using the account of a user, who has been told by e-mail. You can change only what is on this page. It ends after 30 minutes.',
      'impersonation.end': 'Stop using this account',
      'impersonation.tooLate.text':
        'It has already been used, or it has expired. Ask for another one on the page of the user.',
    },
  ),
  ...noted('Names and other fields of the account.', {
    'profile.title': 'Profile',
  }),
  ...noted('The e-mail address of the account. {email} is an address.', {
    'email.title': 'E-mail address',
    'email.now': 'Your address is {email}.',
    'email.none': 'Your account has no e-mail address.',
    'email.verified': 'confirmed',
    'email.unverified': 'not confirmed',
    'email.pending':
      'We have sent a link to {email}. Your address changes once you confirm it there.',
    'email.drop': 'Cancel the change',
    'email.new': 'New e-mail address',
    'email.change': 'Change the address',
  }),
  ...noted('The field for the current password, and what is below it.', {
    'password.current': 'Current password',
    'password.ifAny': 'Leave it empty if you have no password.',
  }),
  ...noted('Changing the password.', {
    'passwordSection.title': 'Password',
    'passwordSection.text': 'Changing it signs out your other devices.',
    'passwordSection.change': 'Change the password',
    'passwordSection.done': 'Your password has been changed.',
  }),
  ...noted(
    'The second step of signing in: an app that shows codes, and recovery codes for when the app is lost. {count} is a number, {site} the name of the site.',
    {
      'mfa.title': 'Two-step sign-in',
      'mfa.off': 'With a second step, a stolen password is not enough to sign in.',
      'mfa.on': 'Two-step sign-in is on. Recovery codes left: {count}.',
      'mfa.turnOn': 'Set up an authenticator app',
      'mfa.scan':
        'Scan this code with an authenticator app, then enter the code that the app shows.',
      'mfa.qr': 'QR code for your authenticator app',
      'mfa.manual': 'Can’t scan it? Enter this key instead:',
      'mfa.openApp': 'Open it in an app on this device',
      'mfa.activate': 'Turn on',
      'mfa.late': 'That took too long. Please start again.',
      'mfa.codes.text':
        'Each code works once. Use one to sign in when you do not have your phone. Keep them where only you can find them.',
      'mfa.codes.copy': 'Copy',
      'mfa.codes.copied': 'Copied.',
      'mfa.codes.download': 'Download',
      'mfa.codes.print': 'Print',
      'mfa.codes.done': 'I have saved them',
      'mfa.codes.show': 'Show recovery codes',
      'mfa.codes.renew': 'Generate new codes',
      'mfa.codes.renewText': 'Your old recovery codes stop working at once.',
      'mfa.codes.file': 'Recovery codes for {site}',
      'mfa.turnOff': 'Turn off',
      'mfa.turnOffText':
        'Enter a code from your app, or a recovery code, to turn off the second step.',
    },
  ),
  ...noted('Passkeys. {name} is the name that the user gave to one, {date} a day and time.', {
    'passkeys.title': 'Passkeys',
    'passkeys.text':
      'Sign in with your fingerprint, your face or your screen lock. There is nothing to remember, and nothing that could be stolen from us.',
    'passkeys.unsupported': 'This browser does not support passkeys.',
    'passkeys.add': 'Add a passkey',
    'passkeys.name': 'Name',
    'passkeys.rename': 'Rename',
    'passkeys.remove': 'Remove',
    'passkeys.renameOne': 'Rename {name}',
    'passkeys.removeOne': 'Remove {name}',
    'passkeys.removeText': 'You will no longer be able to sign in with the passkey {name}.',
    'passkeys.used': 'Last used {date}',
    'passkeys.added': 'Added {date}',
    'passkeys.exists': 'This device already has a passkey for your account.',
    'passkeys.notNow': 'Not now',
  }),
  ...noted(
    'Accounts elsewhere, such as {provider}, with which the user can sign in. {date} is a day and time.',
    {
      'connected.title': 'Connected accounts',
      'connected.text': 'Sign in with an account you have elsewhere.',
      'connected.connect': 'Connect {provider}',
      'connected.disconnect': 'Disconnect',
      'connected.disconnectOne': 'Disconnect {provider}',
      'connected.disconnectText': 'You will no longer be able to sign in with {provider}.',
      'connected.since': 'Connected {date}',
    },
  ),
  ...noted(
    'Where the user is signed in. {device} is the name of a device; {date} is a day and time.',
    {
      'devices.title': 'Devices',
      'devices.text': 'Where you are signed in.',
      'devices.current': 'This device',
      'devices.apiKey': 'Apps that use your access key',
      'devices.used': 'Last active {date}',
      'devices.end': 'Sign out',
      'devices.endOne': 'Sign out {device}',
      'devices.endOthers': 'Sign out everywhere else',
      'devices.endedOthers': 'Signed out everywhere else.',
    },
  ),
  ...noted(
    'Downloading one’s own data. “export.file” is the name of the file, without its ending.',
    {
      'export.title': 'Your data',
      'export.text': 'Everything we know about you, in one file.',
      'export.button': 'Download your data',
      'export.file': 'account',
    },
  ),
  ...noted('Deleting one’s own account.', {
    'leave.title': 'Delete your account',
    'leave.text':
      'This deletes your account and everything that belongs to it, at once. It cannot be undone.',
    'leave.start': 'Delete my account',
    'leave.button': 'Delete for good',
    'leave.done.title': 'Your account has been deleted',
    'leave.done.text': 'Goodbye, and thank you for being with us.',
  }),
  ...noted('Asking the user to prove again that it is them.', {
    'again.title': 'Is it really you?',
    'again.text': 'Before you continue, please confirm that it is you.',
    'again.button': 'Confirm',
    'again.passkey': 'Use a passkey',
    'again.useCode': 'Use a code from your authenticator app',
    'again.usePassword': 'Use your password',
    'again.signIn': 'Sign in again',
  }),
  // Operators invite with the same words.
  ...noted('On the page of one’s own account: inviting others. {email} is an address.', {
    'invite.title': 'Invitations',
    'invite.text': 'Invite somebody by e-mail to create an account here.',
    'invite.button': 'Invite',
    'invite.until': 'Valid until {date}',
    'invite.resend': 'Send again',
    'invite.resendOne': 'Send the invitation to {email} again',
    'invite.revoke': 'Revoke',
    'invite.revokeOne': 'Revoke the invitation to {email}',
  }),
  // Operators see these keys, too.
  ...noted(
    'Keys with which programs use an account. {name} is the name of a key, {date} a day and time. “keys.scopes” stands above a list of what a key allows, such as “keys.scope.user”; “keys.lifetime” above a choice: 30 days, 1 year, never expires.',
    {
      'keys.title': 'Keys for programs',
      'keys.text':
        'With a key, a program can use your account as far as the key allows. Give each program its own.',
      'keys.create': 'Create a key',
      'keys.name': 'Name of the program',
      'keys.scopes': 'The key may',
      'keys.scope.user': 'see your profile',
      'keys.lifetime': 'Expiry',
      'keys.noEnd': 'never expires',
      'keys.ends': 'Expires {date}',
      'keys.made': 'Your new key',
      'keys.made.text': 'Copy it now. It is not shown again.',
      'secret.done': 'I have saved it',
      'keys.revoke': 'Revoke',
      'keys.revokeOne': 'Revoke {name}',
      'keys.end.text': 'Programs that use the key {name} lose access at once.',
    },
  ),
}
