import { noted } from './text.ts'

/** The pages of people who create an account. */
export const signupPages = {
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
}

/** Operators invite with the same words. */
export const inviterPages = noted(
  'On the page of one’s own account: inviting others. {email} is an address.',
  {
    'invite.title': 'Invitations',
    'invite.text': 'Invite somebody by e-mail to create an account here.',
    'invite.button': 'Invite',
    'invite.until': 'Valid until {date}',
    'invite.resend': 'Send again',
    'invite.resendOne': 'Send the invitation to {email} again',
    'invite.revoke': 'Revoke',
    'invite.revokeOne': 'Revoke the invitation to {email}',
  },
)

/** More of them for operators. */
export const signupAdmin = {
  ...noted('Inviting people. {email} is an address, {name} the name of a user.', {
    'nav.invitations': 'Invitations',
    'invitations.text': 'Who is invited to create an account. An invitation works once.',
    'invitations.none': 'Nobody is invited at the moment.',
    'invitations.create': 'Invite somebody',
    'invitations.create.text':
      'They get an e-mail with a link. Their account will have this address.',
    'invitations.by': 'Invited by {name}',
    'invitations.resend.text': '{email} gets a new link. The former one no longer works.',
    'invitations.revoke.text': 'The link that {email} got no longer works.',
  }),
}
