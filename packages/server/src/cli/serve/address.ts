import { isIPv6 } from 'node:net'

/** To listen everywhere is no address that one could call. */
const CALLABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where this machine reaches a server that listens on that host: `http://127.0.0.1:8000` */
export function localUrl(host: string, port: number): string {
  const name = CALLABLE[host] ?? host
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`
}
