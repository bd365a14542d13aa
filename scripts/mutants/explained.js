/** Mutants that no test notices, and why none has to. Each entry stands for one mutant. */
export const explained = [
  {
    file: 'features/login/gate.ts',
    was: '!user.is_active || !door.admits(user)',
    is: '!user.is_active',
    why: 'The transaction asks the door again. Before it, only the hook of the host would hear of the login.',
  },
  {
    file: 'http/csrf.ts',
    was: '!header && afterBody',
    is: '!header',
    why: 'Only the endpoint that hands out tokens has no `afterBody`, and it answers only GET.',
  },
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
  {
    file: 'features/mfa/challenges.ts',
    was: "await adding.catch((error) => { throw isOfDeletedUser(error) ? problem('wrong_credentials') : error })",
    is: '',
    why: 'Only a deletion of the user between two statements gets here.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: "throw isOfDeletedUser(error) ? problem('wrong_credentials') : error",
    is: '',
    why: 'Only a deletion of the user between two statements gets here.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: 'isOfDeletedUser(error)',
    is: 'true',
    why: 'Only a deletion of the user between two statements gets here.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: 'isOfDeletedUser(error)',
    is: 'false',
    why: 'Only a deletion of the user between two statements gets here.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: '!authenticator || !challenge',
    is: '!authenticator',
    why: 'Reached only if another request takes the last try between the read and the transaction. SQLite leaves no such gap.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: "throw problem('ephemeral_token_invalid')",
    is: '',
    why: 'Reached only if another request takes the last try between the read and the transaction. SQLite leaves no such gap.',
  },
  {
    file: 'features/mfa/challenges.ts',
    was: "needs.at === 'public'",
    is: 'false',
    why: 'Any prefix will do, as long as it is not that of the other place.',
  },
  {
    file: 'features/limits/limits.ts',
    was: 'hit === undefined',
    is: 'false',
    why: 'Without a hit the time left is no number, and counts as none.',
  },
  {
    file: 'features/limits/limits.ts',
    was: "one.rate.per !== 'ip'",
    is: 'true',
    why: 'The address is empty here, and no client has an empty one.',
  },
  {
    file: 'features/limits/limits-queries.ts',
    was: 'oldest',
    is: 'true',
    why: 'An empty text is the time 0, which blocks nothing any more.',
  },
]
