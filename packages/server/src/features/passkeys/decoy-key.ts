/**
 * The base point of P-256, which is a valid public key. Signatures of unknown credentials are
 * checked with it, so that they take as long as others.
 */
const X = '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
const Y = '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'

/** In COSE form, like stored keys. */
export const decoyKey: string = Buffer.from(`a5010203262001215820${X}225820${Y}`, 'hex').toString(
  'base64url',
)
