import type { Contract } from './contract.ts'

/**
 * Every endpoint under the name that a caller knows it by. Its parameters, its body and its answer
 * follow from the contract; these lines are also what editors show.
 */
export const endpoints = {
  /** Log in with a username or an e-mail address, and a password. */
  login: 'POST login/',
  /** Make an account. The answer is that of a login, unless the address must be confirmed first. */
  register: 'POST registration/',
  /** Prove again that it is you, before a grave step. */
  reauthenticate: 'POST reauthenticate/',

  user: {
    /** Who is signed in. */
    get: 'GET user/',
    /** Change details; what is not sent stays as it is. */
    update: 'PATCH user/',
    /** The same by PUT, which leaves unchanged what is not sent, too. */
    replace: 'PUT user/',
  },

  password: {
    /** Choose a new one while signed in. */
    change: 'POST password/change/',
    /** Send a link to choose a new one, if somebody has that address. */
    reset: 'POST password/reset/',
    /** Choose a new one with the uid and the token of that link. */
    confirmReset: 'POST password/reset/confirm/',
    /** Whether such a link still works: `checkReset(uid, token)`. Uses nothing up. */
    checkReset: 'GET password/reset/confirm/{uid}/{token}/',
  },

  loginByCode: {
    /** Send a code, if there is such an account. The answer has the `session_id` of `confirm`. */
    begin: 'POST login/code/',
    /** Log in with the code of the mail. */
    confirm: 'POST login/code/confirm/',
  },

  email: {
    /** The address, whether it is confirmed, and the one that was asked for. */
    get: 'GET email/',
    /** Ask for another address; it is sent a link. */
    change: 'POST email/change/',
    /** Change to it with the key of the mail. */
    confirmChange: 'POST email/change/confirm/',
    /** Call the change off. */
    cancelChange: 'DELETE email/change/',
    /** Confirm an address with the key of the mail. */
    verify: 'POST registration/verify-email/',
    /** Send that mail once more. */
    resend: 'POST registration/resend-email/',
  },

  mfa: {
    /** The second half of a login: a one-time code or a recovery code. */
    verify: 'POST mfa/verify/',
    /** Whether it is on, since when, and how many recovery codes are left. */
    status: 'GET mfa/status/',
    /** A secret for an authenticator app, as text and as a QR code. Nothing is changed yet. */
    begin: 'GET mfa/totp/activate/',
    /** Switch it on with the first code of the app. */
    activate: 'POST mfa/totp/activate/',
    /** Switch it off with a code. */
    deactivate: 'POST mfa/totp/deactivate/',
    /** The recovery codes that are still good. */
    recoveryCodes: 'GET mfa/recovery-codes/',
    /** New recovery codes; the old ones are void. */
    regenerateRecoveryCodes: 'POST mfa/recovery-codes/regenerate/',
  },

  passkeys: {
    /** The passkeys of the user, newest first. */
    list: 'GET passkeys/',
    get: 'GET passkeys/{id}/',
    /** `rename(id, { name })` */
    rename: 'PATCH passkeys/{id}/',
    delete: 'DELETE passkeys/{id}/',
    /** The first step of `register()`. */
    beginRegistration: 'POST passkeys/register/begin/',
    /** The last step of `register()`. */
    completeRegistration: 'POST passkeys/register/complete/',
    /** The first step of `login()`. */
    beginLogin: 'POST passkeys/login/begin/',
    /** The last step of `login()`. */
    completeLogin: 'POST passkeys/login/complete/',
  },

  social: {
    /** `login('google', { code, redirect_uri, code_verifier })`, or with a token of the provider. */
    login: 'POST {provider}/',
    /** The same, for the user who is signed in. */
    connect: 'POST {provider}/connect/',
    /** The accounts elsewhere that open the account of the user. */
    list: 'GET socialaccounts/',
    disconnect: 'POST socialaccounts/{id}/disconnect/',
  },

  sessions: {
    /** Where the user is logged in, newest first. */
    list: 'GET sessions/',
    /** `end(id)` ends one of them. To end the current one is to log out. */
    end: 'DELETE sessions/{id}/',
    /** End all but the current one. A token gets a new key, which is in the answer. */
    endOthers: 'POST sessions/end-others/',
  },

  token: {
    /** Whether a JSON Web Token is good: resolves, or rejects with 401. */
    verify: 'POST token/verify/',
    /** The public keys that check tokens of the service, as a JWK set. */
    keys: 'GET .well-known/jwks.json',
  },
} as const satisfies Table

export type Table = { readonly [name: string]: keyof Contract | Table }

/** These end with a login, if no second factor is asked for and no address must be confirmed. */
export const signsIn = (path: string): boolean =>
  /^(login|registration|mfa\/verify|passkeys\/login\/complete|login\/code\/confirm|{provider})\/$/.test(
    path,
  )

/** These need no login. A credential would do no good there, and a 401 is about something else. */
export const isPublic = (path: string): boolean =>
  signsIn(path) ||
  /^(login|registration|password\/reset|token|passkeys\/login|\.well-known|csrf|email\/change\/confirm)\//.test(
    path,
  )
