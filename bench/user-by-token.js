// `GET user/` by token against a bare node:http server doing the same lookup.
import { compare } from './compare.js'

await compare({
  title: 'user/ by token',
  goal: 0.5,
  bare: './bare-user-by-token.js',
  requests({ key }, service, bare) {
    const headers = { authorization: `Token ${key}` }
    return { latchkey: { url: `${service}user/`, headers }, bare: { url: bare, headers } }
  },
})
