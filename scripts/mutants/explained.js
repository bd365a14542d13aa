/** Mutants that no test notices, and why none has to. The area must try them again after a change of the file. */
export const explained = [
  {
    file: 'features/mfa/challenges.ts',
    was: '!user.is_active || user.epoch !== challenge.epoch',
    is: 'user.epoch !== challenge.epoch',
    why: 'A deactivation also changes the epoch.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: 'user && (await findAuthenticatorOfUser(tx, user.id))',
    is: 'await findAuthenticatorOfUser(tx, user.id)',
    why: 'The challenge goes with its user, so only a deletion between two statements gets here.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: '!authenticator || !challenge',
    is: '!challenge',
    why: 'Switching the factor off also removes the challenges.',
  },
]
