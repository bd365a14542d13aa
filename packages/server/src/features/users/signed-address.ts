import type { User } from '../../storage/schema.ts'

/**
 * The address as links and codes are signed for it. It is never the same again after a change, so they
 * stay void when the user returns to a former address. Until the first change it is the plain address,
 * as in the links that earlier versions have mailed.
 */
export const signedAddress = ({
  email,
  email_epoch,
}: Pick<User, 'email' | 'email_epoch'>): string =>
  email_epoch === 0 ? email : `${email} ${email_epoch}`
