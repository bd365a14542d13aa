// Generated from openapi.json by `npm run docs`. Do not edit.

export type UserDetails = {
  pk?: number
  username?: string
  email?: string
  first_name?: string
  last_name?: string
  impersonated_by?: {
    pk: number
    username: string
  }
  mfa_setup_required?: true
}

export type ApiKeys = Array<{
  id: number
  name: string
  scopes: Array<string>
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}>

export type NewApiKey = {
  id: number
  name: string
  scopes: Array<string>
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  key: string
}

export type Logins = Array<{
  id: string
  method: 'password' | 'registration' | 'social' | 'passkey' | 'code' | 'token' | null
  created_at: string
  last_used_at: string
  expires_at: string | null
  address: string | null
  user_agent: string | null
  current: boolean
}>

export type OthersEnded = {
  detail: string
  key?: string
}

export type Detail = {
  detail: string
}

export type Page = string

export type Nothing = Record<string, never>

export type Refreshed = {
  access: string
  refresh?: string
  access_expiration?: string
  refresh_expiration?: string
}

export type PublicKeys = {
  keys: Array<Record<string, string>>
}

export type TotpOffer = {
  secret: string
  totp_url: string
  qr_code_data_uri: string
  activation_token: string
}

export type NewRecoveryCodes = {
  recovery_codes: Array<string>
}

export type MfaStatus = {
  mfa_enabled: boolean
  created_at: string | null
  last_used_at: string | null
  recovery_codes_left: number
}

export type RecoveryCodes = {
  codes: Array<string>
}

export type PasskeyCreationOptions = {
  rp: {
    id: string
    name: string
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  challenge: string
  pubKeyCredParams: Array<{
    type: 'public-key'
    alg: number
  }>
  timeout: number
  excludeCredentials: Array<{
    type: 'public-key'
    id: string
    transports?: Array<string>
  }>
  authenticatorSelection: {
    residentKey: 'preferred'
    requireResidentKey: boolean
    userVerification: 'required' | 'preferred' | 'discouraged'
  }
  attestation: 'none'
  extensions: {
    credProps: boolean
  }
}

export type Passkey = {
  id: number
  name: string
  credential_id: string
  created_at: string
  last_used_at: string | null
  transports: Array<string>
  discoverable: boolean
}

export type Passkeys = Array<Passkey>

export type LoginAnswer =
  | {
    key: string
    access?: never
    refresh?: never
    user?: never
    access_expiration?: never
    refresh_expiration?: never
    ephemeral_token?: never
    mfa_required?: never
  }
  | {
    access: string
    refresh: string
    user: {
      pk?: number
      username?: string
      email?: string
      first_name?: string
      last_name?: string
    }
    access_expiration?: string
    refresh_expiration?: string
    key?: never
    ephemeral_token?: never
    mfa_required?: never
  }
  | {
    ephemeral_token: string
    mfa_required: true
    key?: never
    access?: never
    refresh?: never
    user?: never
    access_expiration?: never
    refresh_expiration?: never
  }

export type CsrfToken = {
  csrf_token: string
}

export type PasskeyRequestOptions = {
  challenge: string
  timeout: number
  rpId: string
  allowCredentials: Array<{
    type: 'public-key'
    id: string
    transports?: Array<string>
  }>
  userVerification: 'required' | 'preferred' | 'discouraged'
  session_id: string
}

export type CodeSent = {
  detail: string
  session_id: string
}

export type Invitation = {
  id: number
  email: string
  created_at: string
  expires_at: string
}

export type PasskeySignupOptions = {
  rp: {
    id: string
    name: string
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  challenge: string
  pubKeyCredParams: Array<{
    type: 'public-key'
    alg: number
  }>
  timeout: number
  excludeCredentials: Array<{
    type: 'public-key'
    id: string
    transports?: Array<string>
  }>
  authenticatorSelection: {
    residentKey: 'preferred'
    requireResidentKey: boolean
    userVerification: 'required' | 'preferred' | 'discouraged'
  }
  attestation: 'none'
  extensions: {
    credProps: boolean
  }
  session_id: string
}

export type Address = {
  email: string
  verified: boolean
  pending: string | null
}

export type SocialAccount = {
  id: number
  provider: string
  uid: string
  last_login: string
  date_joined: string
}

export type AccountExport = {
  exported_at: string
  cut: Array<string>
  history: Array<{
    at: string
    event: string
    details: Record<string, string | number>
    times_that_day?: number
  }>
  mails: Array<{
    kind: string | null
    state: string
    created_at: string
  }>
  user: {
    pk: number
    username: string
    email: string
    first_name: string
    last_name: string
    date_joined: string
    last_login: string | null
    is_active: boolean
    is_staff: boolean
    is_superuser: boolean
    email_verified: boolean
    groups: Array<string>
    language: string | null
    has_password: boolean
    fields: Record<string, string | number | boolean | Array<string> | null>
  }
  further_addresses: Array<{
    email: string
    verified: boolean
  }>
  events: Array<{
    type: string
    state: string
    created_at: string
  }>
  api_keys: ApiKeys
  logins: Array<{
    id: string
    method: 'password' | 'registration' | 'social' | 'passkey' | 'code' | 'token' | null
    created_at: string
    last_used_at: string
    expires_at: string | null
    address: string | null
    user_agent: string | null
  }>
  second_factor: MfaStatus
  passkeys: Passkeys
  invitations: Array<Invitation>
  pending_confirmations: Array<{
    email: string
    purpose: 'verify' | 'change'
    expires_at: string
  }>
  social_accounts: Array<SocialAccount>
}

export type Introspection = {
  active: boolean
  user?: {
    pk?: number
    username?: string
    email?: string
    first_name?: string
    last_name?: string
  }
  impersonated_by?: {
    pk: number
    username: string
  }
  scopes?: Array<string>
  expires_at?: string | null
}

/** The body and the answer of every endpoint. */
export interface Contract {
  /** Get the user who is logged in */
  'GET user/': {
    answer: UserDetails
  }
  /** Change fields of the user; fields that are not sent stay the same */
  'PUT user/': {
    body: {
      username?: string
      first_name?: string
      last_name?: string
    } | undefined
    answer: UserDetails
  }
  /** Change fields of the user; fields that are not sent stay the same */
  'PATCH user/': {
    body: {
      username?: string
      first_name?: string
      last_name?: string
    } | undefined
    answer: UserDetails
  }
  /** The keys that the user made for programs, newest first, without their secrets */
  'GET tokens/': {
    answer: ApiKeys
  }
  /** Make a key for a program; it is shown this once */
  'POST tokens/': {
    body: {
      name: string
      scopes: Array<string>
      expires_at?: string | null
    }
    answer: NewApiKey
  }
  /** Revoke a key; the next request with it is refused */
  'DELETE tokens/{id}/': {
    answer: undefined
  }
  /** The logins of the user, newest first, and the token if there is one */
  'GET sessions/': {
    answer: Logins
  }
  /** End one login; ending the current one logs out */
  'DELETE sessions/{id}/': {
    answer: undefined
  }
  /** End every other login; a token is replaced by a new one, or ended */
  'POST sessions/end-others/': {
    body: undefined
    answer: OthersEnded
  }
  /** Send a mail with a link to choose a new password, if a user has that address */
  'POST password/reset/': {
    body: {
      email: string
      captcha?: string
    }
    answer: Detail
  }
  /** Choose a new password with the uid and the token from the mail */
  'POST password/reset/confirm/': {
    body: {
      new_password1: string
      new_password2: string
      uid: string
      token: string
    }
    answer: Detail
  }
  /** Show the page that the link in the mail opens, or tell whether the link works; the link stays valid */
  'GET password/reset/confirm/{uid}/{token}/': {
    answer: Detail
  }
  /** Choose a new password with the uid and the token in the path; the form on the page does this */
  'POST password/reset/confirm/{uid}/{token}/': {
    body: {
      new_password1: string
      new_password2: string
    }
    answer: Detail
  }
  /** Change the password */
  'POST password/change/': {
    body: {
      old_password?: string
      new_password1: string
      new_password2: string
    }
    answer: Detail
  }
  /** Check whether a JSON Web Token is valid */
  'POST token/verify/': {
    body: {
      token: string
    }
    answer: Nothing
  }
  /** Get a new access token for the refresh token in the body or in its cookie */
  'POST token/refresh/': {
    body: {
      refresh?: string
    } | undefined
    answer: Refreshed
  }
  /** Get the public keys that check tokens of this service, as a JWK set */
  'GET .well-known/jwks.json': {
    answer: PublicKeys
  }
  /** Get a new secret for an authenticator app; MFA is not on yet */
  'GET mfa/totp/activate/': {
    answer: TotpOffer
  }
  /** Switch MFA on with the first code from the app, and log out all other devices */
  'POST mfa/totp/activate/': {
    body: {
      activation_token: string
      code: string
    }
    answer: NewRecoveryCodes
  }
  /** Switch MFA off with a code, and log out all other devices */
  'POST mfa/totp/deactivate/': {
    body: {
      code: string
    }
    answer: Detail
  }
  /** Get whether MFA is on, since when, and how many recovery codes are left */
  'GET mfa/status/': {
    answer: MfaStatus
  }
  /** List the recovery codes that are not used yet */
  'GET mfa/recovery-codes/': {
    answer: RecoveryCodes
  }
  /** List the recovery codes that are not used yet */
  'POST mfa/recovery-codes/': {
    body: undefined
    answer: RecoveryCodes
  }
  /** Create new recovery codes; the old ones no longer work */
  'POST mfa/recovery-codes/regenerate/': {
    body: undefined
    answer: RecoveryCodes
  }
  /** Get the options for `navigator.credentials.create()` */
  'POST passkeys/register/begin/': {
    body: {
      name?: string
      conditional?: boolean
    } | undefined
    answer: PasskeyCreationOptions
  }
  /** Add the passkey that the browser created to the account */
  'POST passkeys/register/complete/': {
    body: {
      credential: object
      name?: string
    }
    answer: Passkey
  }
  /** List the passkeys of the user, newest first */
  'GET passkeys/': {
    answer: Passkeys
  }
  /** Get one passkey of the user */
  'GET passkeys/{id}/': {
    answer: Passkey
  }
  /** Rename a passkey */
  'PUT passkeys/{id}/': {
    body: {
      name: string
    }
    answer: Passkey
  }
  /** Rename a passkey; without a name nothing changes */
  'PATCH passkeys/{id}/': {
    body: {
      name?: string
    } | undefined
    answer: Passkey
  }
  /** Delete a passkey, unless it is the last way to log in */
  'DELETE passkeys/{id}/': {
    answer: undefined
  }
  /** Log in with a username or an e-mail address, and a password */
  'POST login/': {
    body: {
      username?: string
      email?: string
      password: string
      captcha?: string
    }
    answer: LoginAnswer | undefined
  }
  /** Log out: end the token, the session and the refresh token */
  'POST logout/': {
    body: {
      refresh?: string
    } | undefined
    answer: Detail
  }
  /** Get a CSRF token, and its cookie */
  'GET csrf/': {
    answer: CsrfToken
  }
  /** Complete a login with a one-time code or a recovery code */
  'POST mfa/verify/': {
    body: {
      ephemeral_token: string
      code: string
    }
    answer: LoginAnswer | undefined
  }
  /** Get the options for `navigator.credentials.get()`, for one user or for anybody */
  'POST passkeys/login/begin/': {
    body: {
      username?: string
      email?: string
    } | undefined
    answer: PasskeyRequestOptions
  }
  /** Log in with the passkey that the browser used */
  'POST passkeys/login/complete/': {
    body: {
      credential: object
      session_id: string
    }
    answer: LoginAnswer | undefined
  }
  /** Prove again who you are, with a password, a code or a passkey */
  'POST reauthenticate/': {
    body: {
      password?: string
      code?: string
      credential?: object
      session_id?: string
    } | undefined
    answer: Detail
  }
  /** Send a code to log in with, if there is such an account */
  'POST login/code/': {
    body: {
      username?: string
      email?: string
      captcha?: string
    } | undefined
    answer: CodeSent
  }
  /** Log in with the code of the mail */
  'POST login/code/confirm/': {
    body: {
      session_id: string
      code: string
    }
    answer: LoginAnswer | undefined
  }
  /** The open invitations of the user, newest first */
  'GET invitations/': {
    answer: Array<Invitation>
  }
  /** Mail an invitation to an address, if it has no account yet */
  'POST invitations/': {
    body: {
      email: string
    }
    answer: Invitation
  }
  /** Mail an invitation again, with a new link */
  'POST invitations/{id}/resend/': {
    body: undefined
    answer: Invitation
  }
  /** Revoke an invitation; its link no longer works */
  'DELETE invitations/{id}/': {
    answer: undefined
  }
  /** Create an account, and log in unless the address must be confirmed first */
  'POST registration/': {
    body: {
      username: string
      email?: string
      password1: string
      password2: string
      invitation?: string
      captcha?: string
    }
    answer: LoginAnswer | undefined
  }
  /** Get the options for `navigator.credentials.create()`, for somebody without an account */
  'POST passkeys/signup/begin/': {
    body: {
      username?: string
      email?: string
      invitation?: string
      captcha?: string
    } | undefined
    answer: PasskeySignupOptions
  }
  /** Create the account, with the passkey that the browser made and without a password */
  'POST passkeys/signup/complete/': {
    body: {
      credential: object
      session_id: string
      name?: string
    }
    answer: LoginAnswer | undefined
  }
  /** Confirm an address with the key from the mail */
  'POST registration/verify-email/': {
    body: {
      key: string
    }
    answer: Detail
  }
  /** Confirm an address with the key from the mail */
  'POST registration/account-confirm-email/': {
    body: {
      key: string
    }
    answer: Detail
  }
  /** Send the link to confirm an address again, if it is not confirmed yet */
  'POST registration/resend-email/': {
    body: {
      email: string
    }
    answer: Detail
  }
  /** Show the page that the link in the mail opens; nothing is changed yet */
  'GET registration/account-confirm-email/{key}/': {
    answer: Page
  }
  /** Confirm an address with the key in the path, or remove it with `"answer": "not-mine"`; the buttons on the page do this */
  'POST registration/account-confirm-email/{key}/': {
    body: undefined
    answer: Detail
  }
  /** Show the page that asks new users to open the mail */
  'GET registration/account-email-verification-sent/': {
    answer: Page
  }
  /** The address of the user, and the one that waits for its confirmation */
  'GET email/': {
    answer: Address
  }
  /** Ask for another address; it is sent a link to confirm it */
  'POST email/change/': {
    body: {
      email: string
      password?: string
    }
    answer: Detail
  }
  /** Call off the change of the address */
  'DELETE email/change/': {
    answer: undefined
  }
  /** Change to the new address with the key of the mail */
  'POST email/change/confirm/': {
    body: {
      key: string
    }
    answer: Detail
  }
  /** Show the page that the link in the mail opens; nothing is changed yet */
  'GET email/change/confirm/{key}/': {
    answer: Page
  }
  /** Confirm an address with the key in the path, or remove it with `"answer": "not-mine"`; the buttons on the page do this */
  'POST email/change/confirm/{key}/': {
    body: undefined
    answer: Detail
  }
  /** Log in with Google; the front end must ask it for these scopes: openid email profile */
  'POST {provider}/': {
    body: {
      access_token?: string
      code?: string
      id_token?: string
      redirect_uri?: string
      code_verifier?: string
      nonce?: string
      invitation?: string
    } | undefined
    answer: LoginAnswer | undefined
  }
  /** Connect an account at Google with the user who is logged in */
  'POST {provider}/connect/': {
    body: {
      access_token?: string
      code?: string
      id_token?: string
      redirect_uri?: string
      code_verifier?: string
      nonce?: string
    } | undefined
    answer: SocialAccount
  }
  /** List the social accounts of the user */
  'GET socialaccounts/': {
    answer: Array<SocialAccount>
  }
  /** Disconnect a social account, unless it is the last way to log in */
  'POST socialaccounts/{id}/disconnect/': {
    body: undefined
    answer: Detail
  }
  /** Everything that is known about the user, as a file to download */
  'GET account/export/': {
    answer: AccountExport
  }
  /** Delete the account of the user, with everything that belongs to it */
  'POST account/delete/': {
    body: {
      password?: string
      code?: string
    } | undefined
    answer: Detail
  }
  /** Ask whose token key, access token or session id this is */
  'POST introspect/': {
    body: {
      token: string
    }
    answer: Introspection
  }
}
