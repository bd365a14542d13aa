import { noted } from './text.ts'

/** The pages that need no script. No script gets their words. */
export const plainPages = {
  ...noted('On every page that needs JavaScript, for browsers without it.', {
    noScript:
      'This page needs JavaScript. Confirming an address and choosing a new password work without it.',
  }),
  ...noted(
    'The title above every text named “tooLate”: the link in an e-mail was used before, or is too old.',
    {
      'tooLate.title': 'This link no longer works',
    },
  ),
  ...noted(
    'Confirming an address, after a click on the link in an e-mail. {email} is an address, {username} the name of the account.',
    {
      'confirm.title': 'Confirm your e-mail address',
      'confirm.question': 'Is {email} your address, and is the account “{username}” yours?',
      'confirm.yes': 'Yes, confirm the address',
      notMine: 'This wasn’t me',
      'confirm.notMineHint': '“This wasn’t me” removes your address from that account.',
      'confirm.done.title': 'Your e-mail address is confirmed',
      'confirm.done.text': 'Thank you. You are all set.',
      'confirm.disowned.title': 'Your address has been removed',
      'confirm.disowned.text':
        'It no longer belongs to that account, and you will get no more e-mails about it. There is nothing else you need to do.',
      'confirm.tooLate.text':
        'It has already been used, or it has expired. If your address still needs to be confirmed, sign in and ask for another e-mail.',
    },
  ),
  ...noted('The same, for the new address of an existing account.', {
    'change.title': 'Confirm your new e-mail address',
    'change.question': 'Do you want to use {email} for the account “{username}” from now on?',
    'change.yes': 'Use this address',
    'change.notMineHint':
      '“This wasn’t me” cancels the change. That account does not get your address.',
    'change.done.title': 'Your e-mail address has been changed',
    'change.done.text': 'The new address is confirmed. You stay signed in on all your devices.',
    'change.disowned.title': 'Your address will not be used',
    'change.disowned.text':
      'The change is cancelled, and that account keeps the address it had. There is nothing else you need to do.',
    'change.tooLate.text':
      'It has already been used, it has expired, or the address now belongs to somebody else. You can ask for the change again on your account page.',
  }),
  ...noted('Choosing a new password, after a click on the link in an e-mail.', {
    'password.again': 'Repeat the new password',
    'reset.tooLate.text':
      'It has already been used, or it has expired. Ask for another e-mail to choose a new password.',
    'reset.tooLate.link': 'Send another e-mail',
  }),
}
