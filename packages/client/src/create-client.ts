import { withUsualNames } from './answer-names.ts'
import type { AuthClient, ClientOptions } from './auth-client.ts'
import { isLoginRefused } from './auth-error.ts'
import { createAuthorize } from './authorize.ts'
import type { CsrfToken, UserDetails } from './contract.ts'
import { usesCookies, usesJwt } from './credentials.ts'
import { type Attempt, createCsrf } from './csrf.ts'
import { endpoints, isPublic, signsIn } from './endpoints.ts'
import { createFetch } from './fetch-as-user.ts'
import { followTabs } from './follow-tabs.ts'
import { type Credentials, keepLogin, type Login } from './keep-login.ts'
import { createLearn } from './learn.ts'
import { createLock } from './lock.ts'
import { createLogout } from './logout.ts'
import { type Call, createMethods } from './methods.ts'
import { createCeremonies } from './passkeys.ts'
import { createRefresh } from './refresh.ts'
import { createRestore } from './restore.ts'
import { createService } from './service.ts'
import { memory, shared } from './storage.ts'

/** A client of the service at `url`. A page or an app needs only one. */
export function createClient<User = UserDetails>({
  mode,
  cookies = usesCookies(mode),
  rotatesCookie = false,
  url: address = '/auth/',
  storage = (usesCookies(mode) && shared()) || memory(),
  storageKey = 'latchkey',
  csrfCookie = 'csrftoken',
  authHeaderType = 'Bearer',
  answerNames = {},
  language = '',
  errorCodes = true,
  origins = [],
  timeout = 30_000,
  fetch = (...args) => globalThis.fetch(...args),
  ...names
}: ClientOptions): AuthClient<User> {
  const url = address.replace(/\/*$/, '/')
  const credentials = cookies ? 'include' : 'omit'
  const usual = () => {
    const wanted = typeof language === 'function' ? language() : language
    return {
      Accept: 'application/json',
      ...(wanted && { 'Accept-Language': wanted }),
      ...(errorCodes && { 'X-Error-Codes': '1' }),
    }
  }
  const service = createService({ url, fetch, credentials, timeout, usual, ...names })
  const keep = keepLogin<User>(storage, storageKey)
  const lock = createLock(storageKey)

  const csrf = createCsrf(url, csrfCookie, async () => {
    const answer = await service('GET', 'csrf/', undefined, (attempt) => attempt({}))
    return (answer as CsrfToken).csrf_token
  })
  const { renew, refresh } = createRefresh({
    mode,
    cookies,
    rotatesCookie,
    keep,
    lock,
    async ask(refresh, options) {
      const send = (attempt: Attempt) => authorize.sendAs(null, 'POST', attempt)
      // The browser finishes this request even if the user leaves the page. Otherwise the new cookie
      // could be lost, and the old one is already spent.
      const lasting = { keepalive: true, ...options }
      const answer = await service('POST', 'token/refresh/', { refresh }, send, lasting)
      return withUsualNames(answer, answerNames) as Credentials
    },
  })
  const authorize = createAuthorize({ mode, cookies, authHeaderType, keep, refresh, csrf })
  const learn = createLearn({ mode, keep, csrf, answerNames })

  const call: Call = async (method, path, target, body, options) => {
    let login: Login | null = null
    const logouts = keep.logouts()
    const send = async (attempt: Attempt) => {
      const sendAlone = () => authorize.sendAs(null, method, attempt)
      // A refresh in progress would replace the cookies of this login by those of the former one.
      if (signsIn(path) && cookies && usesJwt(mode)) return lock(sendAlone)
      if (isPublic(path)) return sendAlone()
      const sent = await authorize.send(method, attempt)
      login = sent.login
      return sent.response
    }
    const answer = await service(method, target, body, send, options).catch(async (error) => {
      // With JSON Web Tokens, the refresh decides whether the login has ended.
      const isEnd = isLoginRefused(error) && !usesJwt(mode) && !isPublic(path)
      if (isEnd) await keep.end(login, 'refused')
      throw error
    })
    return learn(path, answer, login, logouts)
  }
  const methods = createMethods<typeof endpoints, User>(endpoints, call)

  return {
    ...methods,
    passkeys: { ...methods.passkeys, ...createCeremonies(methods.passkeys) },
    get state() {
      return keep.state()
    },
    onChange: keep.onChange,
    onSignedOut: keep.onSignedOut,
    restore: createRestore({ cookies, keep, askForUser: () => methods.user.get() }),
    logout: createLogout({ cookies, keep, lock, renew, csrf, authorize, service }),
    async refresh() {
      await refresh(await keep.read())
    },
    authorization: authorize.authorization,
    fetch: createFetch({
      fetch,
      authorize,
      usual: cookies ? { credentials } : {},
      trusted: [url, ...origins],
    }),
    close: followTabs(storage, storageKey, keep.look),
  }
}
