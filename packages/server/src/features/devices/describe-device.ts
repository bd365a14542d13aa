import { readUserAgent } from '../../kernel/user-agent.ts'

/** `Firefox on Windows`, for a mail. */
export function browserOf(userAgent: string): string {
  const { browser = 'an unknown program', system } = readUserAgent(userAgent)
  return system ? `${browser} on ${system}` : browser
}

/** An update makes no new device: `Chrome/126.0.0.0` and `Android 14` lose their numbers. */
export const withoutVersions = (userAgent: string): string =>
  userAgent.replace(/\/[^\s;)]*|\b\d+(?:[._]\d+)+|(?<=Android )\d+/g, '')

/**
 * The part of an address that stays when a provider gives its customer another one: half of an IPv4
 * address, a quarter of an IPv6 address.
 */
export const networkOf = (address: string): string =>
  address.includes(':')
    ? address.split(':').slice(0, 2).join(':')
    : address.split('.').slice(0, 2).join('.')
