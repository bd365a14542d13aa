import type { onSendAsyncHookHandler } from 'fastify'

/** Cookies that the host has set before stay, beside ours. Of all other headers, ours win. */
export const keepEarlierCookies: onSendAsyncHookHandler = async (_request, reply) => {
  const earlier = reply.raw.getHeader('set-cookie')
  if (earlier !== undefined) reply.header('set-cookie', earlier)
}
