import type { AnswerKey } from './words/english.ts'

export type Row = { readonly status: number; readonly at: string; readonly code?: string }

const at = <const At extends string>(at: At) => ({ status: 400, at }) as const
const field = at('field')
const general = at('non_field_errors')
const detail = <const S extends number>(status: S) => ({ status, at: 'detail' }) as const
/** The body carries a code beside the text, since some clients compare the code. */
const coded = <const S extends number, const C extends string>(status: S, code: C) =>
  ({ ...detail(status), code }) as const

/** Only operators meet these. */
export const operatorProblems = {
  not_allowed: coded(403, 'not_allowed'),
  scope_missing: coded(403, 'scope_missing'),
  own_account: coded(403, 'own_account'),
  equal_or_above: coded(403, 'equal_or_above'),
  user_without_address: detail(400),
  user_not_active: detail(400),
  invalid_cursor: field,
  unknown_field: field,
} satisfies Partial<Record<AnswerKey, Row>>

/**
 * Every refusal of the service, once: its code, status and place in the body. Its words are in
 * `kernel/words/answers.ts`, under the same code.
 *
 * `at` says where the text is: under `detail`, under `non_field_errors`, under a field that is
 * always the same, or (`field`) under a field that the caller names.
 */
export const problems = {
  // Fields
  required: field,
  blank: field,
  null: field,
  not_a_string: field,
  invalid_email: field,
  too_long: field,
  wrong_pattern: field,
  null_characters: field,
  surrogate_characters: field,
  invalid_integer: field,
  invalid_number: field,
  invalid_boolean: field,
  invalid_date: field,
  invalid_datetime: field,
  invalid_url: field,
  too_small: field,
  too_large: field,
  not_a_choice: field,
  not_a_list: field,
  too_many_elements: field,
  not_unique: field,
  username_taken: field,
  username_invalid: field,
  email_taken: field,
  email_not_allowed: field,

  // Bodies
  not_an_object: general,
  malformed_body: detail(400),
  malformed_request: detail(400),
  request_timeout: detail(408),
  body_too_large: detail(413),
  headers_too_large: detail(431),
  unsupported_media_type: detail(415),

  // Addresses and methods
  not_found: detail(404),
  method_not_allowed: detail(405),

  // Authentication
  not_authenticated: detail(401),
  invalid_token: detail(401),
  token_header_empty: detail(401),
  token_header_spaces: detail(401),
  user_inactive_or_deleted: detail(401),
  bad_authorization_header: coded(401, 'bad_authorization_header'),
  access_token_not_valid: coded(401, 'token_not_valid'),
  user_not_found: coded(401, 'user_not_found'),
  user_inactive: coded(401, 'user_inactive'),
  reauthentication_required: coded(403, 'reauthentication_required'),
  not_impersonable: coded(403, 'not_impersonable'),
  impersonating: coded(403, 'impersonating'),
  api_key_scope_missing: coded(403, 'api_key_scope_missing'),
  introspection_key_invalid: detail(401),
  admin_key_invalid: detail(401),
  mfa_setup_required: coded(403, 'mfa_setup_required'),
  passkey_required: coded(403, 'passkey_required'),
  csrf_cookie_missing: detail(403),
  csrf_token_missing: detail(403),
  csrf_token_incorrect: detail(403),
  csrf_foreign_origin: detail(403),

  // Login and logout
  email_and_password_needed: general,
  username_and_password_needed: general,
  identifier_and_password_needed: general,
  email_needed: general,
  username_needed: general,
  identifier_needed: general,
  login_code_expired: at('session_id'),
  wrong_credentials: general,
  email_not_verified: general,
  not_logged_in: detail(400),

  // Passwords, reset and registration
  password_too_similar: field,
  password_too_short: field,
  password_too_common: field,
  password_numeric: field,
  passwords_differ: field,
  passwords_differ_at_registration: general,
  old_password_wrong: field,
  invalid_value: field,
  invitation_required: detail(403),
  invitation_invalid: at('invitation'),
  signup_closed: detail(403),
  captcha_refused: at('captcha'),
  reauthentication_proof_needed: general,
  admin_proof_needed: general,
  /** The password of a user who is signed in and must prove it again. */
  password_invalid: at('password'),
  own_email: field,

  // JSON Web Tokens
  token_invalid: detail(401),
  token_expired: detail(401),
  token_wrong_type: detail(401),
  token_blacklisted: detail(401),
  no_refresh_token: coded(401, 'token_not_valid'),
  no_active_account: coded(401, 'no_active_account'),

  // Second factor
  ephemeral_token_invalid: at('ephemeral_token'),
  mfa_code_invalid: at('code'),
  activation_token_invalid: at('activation_token'),
  activation_token_foreign: at('activation_token'),
  activation_code_invalid: at('code'),
  mfa_already_enabled: detail(400),
  mfa_not_enabled: detail(400),
  /** Also used for passkeys and social accounts: for everything that would outlive the password. */
  verify_email_first: general,

  // Passkeys
  passkeys_not_configured: general,
  registration_challenge_expired: general,
  registration_not_verified: general,
  credential_registered: general,
  too_many_passkeys: general,
  authentication_challenge_expired: general,
  invalid_credential_format: general,
  authentication_not_verified: general,
  passkey_last_way_in: detail(400),

  // Keys of users
  too_many_api_keys: general,
  expires_in_the_past: field,

  // Social login
  social_input_missing: general,
  social_code_refused: general,
  social_proof_refused: general,
  social_signup_closed: general,
  social_email_taken: general,
  social_account_of_another: general,
  social_last_way_in: detail(400),

  // Administration
  ...operatorProblems,
  last_superuser: coded(403, 'last_superuser'),
  mail_limit_reached: detail(429),
  invitations_off: detail(400),
  not_a_dictionary: field,

  // The host
  /** The only words that are not ours: a hook or a rule of the host says them. */
  refused_by_host: field,

  // Limits and faults
  /** Only the log shows this: the client is no longer there. */
  client_gone: detail(499),
  throttled: detail(429),
  unavailable: detail(503),
  internal: detail(500),
} satisfies Partial<Record<AnswerKey | 'refused_by_host', Row>>
