import type { onSendAsyncHookHandler } from 'fastify'

/** Cookies that the host has set before stay, beside ours. The other headers of ours win. */
export const keepEarlierCookies: onSendAsyncHookHandler = async (_request, reply) => {
  const earlier = reply.raw.getHeader('set-cookie')
  const ours = reply.getHeader('set-cookie')
  if (earlier === undefined || ours === undefined) return
  const all = [earlier, ours].flat().map(String)
  reply.removeHeader('set-cookie')
  reply.header('set-cookie', all)
}
