import { readUserAgent } from '../../../server/src/kernel/user-agent.ts'
import { say } from '../words.ts'

/** The name of a passkey that this browser makes. */
export const thisDevice = (): string => deviceName(navigator.userAgent)

/** "Firefox on Linux", or as much of it as is known. */
export function deviceName(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent)
  if (browser && system) return say('devices.on', { browser, system })
  // Programs name themselves first: `curl/8.5.0`.
  return browser ?? system ?? (userAgent.split(/[\s/]/)[0] || say('devices.unknown'))
}
