import { isLoopback } from '../kernel/loopback.ts'
import type { Settings } from './settings.ts'

/**
 * Whether the service shows the mails that it prints. Only a service whose own address is loopback
 * does so. The headers of a request cannot decide this: a proxy may rewrite them.
 */
export const hasMailbox = ({
  EMAIL_URL,
  PUBLIC_URL,
}: Pick<Settings, 'EMAIL_URL' | 'PUBLIC_URL'>): boolean =>
  EMAIL_URL === 'console:' && isLoopback(new URL(PUBLIC_URL).hostname)
