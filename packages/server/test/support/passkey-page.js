// What the script of a front end does with passkeys; runs in the page of a real browser.

const prefix = '/auth/'

async function call(method, path, body) {
  const csrfToken = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1]
  const response = await fetch(prefix + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(csrfToken && { 'X-CSRFToken': csrfToken }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function register(name) {
  const { body } = await call('POST', 'passkeys/register/begin/', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body)
  const credential = await navigator.credentials.create({ publicKey })
  return call('POST', 'passkeys/register/complete/', { credential: credential.toJSON(), name })
}

async function logIn(user = {}) {
  const { body } = await call('POST', 'passkeys/login/begin/', user)
  const { session_id, ...options } = body
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  return call('POST', 'passkeys/login/complete/', { credential: credential.toJSON(), session_id })
}

globalThis.frontEnd = { call, register, logIn }
