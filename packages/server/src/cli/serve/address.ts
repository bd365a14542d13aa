import { isIPv6 } from 'node:net'

/** "All addresses" cannot be called, so loopback stands in for it. */
const CALLABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The address of the server for clients on this machine: `http://127.0.0.1:8000` */
export function localUrl(host: string, port: number): string {
  const name = CALLABLE[host] ?? host
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`
}
