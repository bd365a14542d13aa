// `POST token/verify/` with an access token against a bare node:http server doing the same check.
import { compare } from './compare.js'

await compare({
  settings: { REST_AUTH_USE_JWT: 'true', SECRET_KEY: 'a key that only the benchmark ever uses' },
  bare: './bare-token-verify.js',
  requests({ access }, service, bare) {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: access }),
    }
    return {
      latchkey: { ...request, url: `${service}token/verify/` },
      bare: { ...request, url: bare },
    }
  },
})
