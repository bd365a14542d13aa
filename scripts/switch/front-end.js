/** The requests of a front end, with what it holds in its hands. */
export function frontEnd(origin) {
  const ask = async (method, path, body, held = {}) => {
    const reply = await fetch(new URL(path, `${origin}/auth/`), {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headersOf(held) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    return {
      status: reply.status,
      by: reply.headers.get('x-answered-by'),
      body: isJson ? JSON.parse(text) : text,
      cookies: Object.fromEntries(
        reply.headers.getSetCookie().map((line) => line.split(';')[0].trim().split('=')),
      ),
    }
  }
  return {
    get: (path, held) => ask('GET', path, undefined, held),
    post: (path, body, held) => ask('POST', path, body, held),
    register: (username, password) =>
      ask('POST', 'registration/', {
        username,
        email: `${username}@example.com`,
        password1: password,
        password2: password,
      }),
    login: (name, password) =>
      ask('POST', 'login/', { [name.includes('@') ? 'email' : 'username']: name, password }),
    changePassword: (password, held) =>
      ask('POST', 'password/change/', { new_password1: password, new_password2: password }, held),
  }
}

const headersOf = ({ token, access, cookies }) => ({
  ...(token && { authorization: `Token ${token}` }),
  ...(access && { authorization: `Bearer ${access}` }),
  ...(cookies && {
    cookie: Object.entries(cookies)
      .map((pair) => pair.join('='))
      .join('; '),
    ...(cookies.csrftoken && { 'x-csrftoken': cookies.csrftoken }),
  }),
})
