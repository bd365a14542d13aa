type Parts = {
  issuer: string
  account: string
  secret: string
  digits: number
  periodSeconds: number
}

/**
 * The link in the QR code for an authenticator app. Names are escaped, so that none can pass for
 * another part of the link.
 */
export function totpUrl({ issuer, account, secret, digits, periodSeconds }: Parts): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const options = [
    `secret=${secret}`,
    `issuer=${encodeURIComponent(issuer)}`,
    'algorithm=SHA1',
    `digits=${digits}`,
    `period=${periodSeconds}`,
  ]
  return `otpauth://totp/${label}?${options.join('&')}`
}
