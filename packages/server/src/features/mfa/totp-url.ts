type Parts = {
  issuer: string
  account: string
  secret: string
  digits: number
  periodSeconds: number
}

/** What a QR code tells an authenticator app; no name in it can pass for another part of it. */
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
