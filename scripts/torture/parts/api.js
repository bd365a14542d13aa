import { createClient } from './client.js'

/** The endpoints of one service by their paths. */
export function createApi(url) {
  const client = createClient()
  const call =
    (method) =>
    (path, { body, token } = {}) =>
      client.ask(method, new URL(path, url), { body, token })
  return { get: call('GET'), post: call('POST'), patch: call('PATCH'), close: client.close }
}
