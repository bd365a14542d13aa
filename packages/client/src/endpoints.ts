import type { Contract } from './contract.ts'

/**
 * The name of every endpoint in the client. Its parameters, its body and its answer follow from the
 * contract. Editors show these comments.
 */
export const endpoints = {
  /** Log in with a username or an e-mail address, and a password. */
  login: 'POST login/',
  /** Create an account, and log in unless the address must be confirmed first. */
  register: 'POST registration/',
  /** Prove again who you are, with a password, a code or a passkey. */
  reauthenticate: 'POST reauthenticate/',

  user: {
    /** The user who is signed in. */
    get: 'GET user/',
    /** Change details of the user. Fields that are not sent stay unchanged. */
    update: 'PATCH user/',
    /** The same as `update`, by PUT. */
    replace: 'PUT user/',
  },

  password: {
    /** Set a new password while signed in. */
    change: 'POST password/change/',
    /** Send a link to set a new password, if an account has this address. */
    reset: 'POST password/reset/',
    /** Set a new password with the uid and the token of the link. */
    confirmReset: 'POST password/reset/confirm/',
    /** Check whether the link still works: `checkReset(uid, token)`. It stays usable. */
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
    /** Send this mail again. */
    resend: 'POST registration/resend-email/',
  },

  mfa: {
    /** The second step of a login: a one-time code or a recovery code. */
    verify: 'POST mfa/verify/',
    /** Whether MFA is on, since when, and how many recovery codes are left. */
    status: 'GET mfa/status/',
    /** A new secret for an authenticator app, as text and as a QR code. MFA is not on yet. */
    begin: 'GET mfa/totp/activate/',
    /** Switch MFA on with the first code of the app. */
    activate: 'POST mfa/totp/activate/',
    /** Switch MFA off with a code. */
    deactivate: 'POST mfa/totp/deactivate/',
    /** The unused recovery codes. */
    recoveryCodes: 'GET mfa/recovery-codes/',
    /** Create new recovery codes. The old ones become invalid. */
    regenerateRecoveryCodes: 'POST mfa/recovery-codes/regenerate/',
  },

  passkeys: {
    /** The passkeys of the user, newest first. */
    list: 'GET passkeys/',
    /** `get(id)` */
    get: 'GET passkeys/{id}/',
    /** `rename(id, { name })` */
    rename: 'PATCH passkeys/{id}/',
    /** `delete(id)` */
    delete: 'DELETE passkeys/{id}/',
    /** The first step of `register()`. */
    beginRegistration: 'POST passkeys/register/begin/',
    /** The last step of `register()`. */
    completeRegistration: 'POST passkeys/register/complete/',
    /** The first step of `signUp()`. */
    beginSignup: 'POST passkeys/signup/begin/',
    /** The last step of `signUp()`. */
    completeSignup: 'POST passkeys/signup/complete/',
    /** The first step of `login()`. */
    beginLogin: 'POST passkeys/login/begin/',
    /** The last step of `login()`. */
    completeLogin: 'POST passkeys/login/complete/',
  },

  social: {
    /** `login('google', { code, redirect_uri, code_verifier })`, or a token of the provider. */
    login: 'POST {provider}/',
    /** Connect an account at a provider with the user who is signed in. */
    connect: 'POST {provider}/connect/',
    /** The accounts at providers that the user can log in with. */
    list: 'GET socialaccounts/',
    /** `disconnect(id)` */
    disconnect: 'POST socialaccounts/{id}/disconnect/',
  },

  sessions: {
    /** Where the user is logged in, newest first. */
    list: 'GET sessions/',
    /** `end(id)` ends one of them. Ending the current one logs out. */
    end: 'DELETE sessions/{id}/',
    /** End all but the current one. A token gets a new key, which is in the answer. */
    endOthers: 'POST sessions/end-others/',
  },

  apiKeys: {
    /** The keys that the user made for programs, newest first, without their secrets. */
    list: 'GET tokens/',
    /** `create({ name, scopes, expires_at })` answers with the key, once. It requires a recent login. */
    create: 'POST tokens/',
    /** `revoke(id)` */
    revoke: 'DELETE tokens/{id}/',
  },

  invitations: {
    /** The open invitations of the user, newest first. */
    list: 'GET invitations/',
    /** `create({ email })` mails an invitation. */
    create: 'POST invitations/',
    /** `resend(id)` mails it again, with a new link. */
    resend: 'POST invitations/{id}/resend/',
    /** `revoke(id)` */
    revoke: 'DELETE invitations/{id}/',
  },

  account: {
    /** Everything that the service knows about the user. It requires a recent login. */
    export: 'GET account/export/',
    /** Delete the account. Users with a password must send it, and users with MFA a code. */
    delete: 'POST account/delete/',
  },

  token: {
    /** Check a JSON Web Token. The call rejects with 401 if it is not valid. */
    verify: 'POST token/verify/',
    /** The public keys for tokens of the service, as a JWK set. */
    keys: 'GET .well-known/jwks.json',
  },
} as const satisfies Table

export type Table = { readonly [name: string]: keyof Contract | Table }

/** These answer with a login, unless a second factor or a confirmed address is required. */
export const signsIn = (path: string): boolean =>
  /^(login|registration|mfa\/verify|passkeys\/(login|signup)\/complete|login\/code\/confirm|{provider})\/$/.test(
    path,
  )

/** These need no login. No credential is sent there, and a 401 does not end a login. */
export const isPublic = (path: string): boolean =>
  signsIn(path) ||
  /^(login|registration|password\/reset|token|passkeys\/(login|signup)|\.well-known|email\/change\/confirm)\//.test(
    path,
  )
