// biome-ignore lint/suspicious/noExplicitAny: each text states its own parameters
export type Text = string | ((params: any) => string)

/**
 * Every refusal of the service, once: its code, status, place in the body and English text.
 *
 * `at` says where the text is: under `detail`, under `non_field_errors`, under a field that is
 * always the same, or (`field`) under a field that the caller names.
 */
const field = <T extends Text>(text: T) => ({ status: 400, at: 'field', text }) as const
const general = <T extends Text>(text: T) =>
  ({ status: 400, at: 'non_field_errors', text }) as const
const at = <F extends string, T extends Text>(name: F, text: T) =>
  ({ status: 400, at: name, text }) as const
const detail = <S extends number, T extends Text>(status: S, text: T) =>
  ({ status, at: 'detail', text }) as const
/** The body carries a code beside the text, since some clients compare the code. */
const coded = (code: string, text: string) => ({ ...detail(401, text), code }) as const

const forbidden = <C extends string>(code: C, text: string) =>
  ({ ...detail(403, text), code }) as const

export const problems = {
  // Fields
  required: field('This field is required.'),
  blank: field('This field may not be blank.'),
  null: field('This field may not be null.'),
  not_a_string: field('Not a valid string.'),
  invalid_email: field('Enter a valid email address.'),
  too_long: field(
    (p: { max: number }) => `Ensure this field has no more than ${p.max} characters.`,
  ),
  wrong_pattern: field('This value does not match the required pattern.'),
  null_characters: field('Null characters are not allowed.'),
  surrogate_characters: field(
    (p: { codePoint: string }) => `Surrogate characters are not allowed: U+${p.codePoint}.`,
  ),
  invalid_integer: field('A valid integer is required.'),
  invalid_number: field('A valid number is required.'),
  invalid_boolean: field('Must be a valid boolean.'),
  invalid_date: field('Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'),
  invalid_datetime: field(
    'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  ),
  invalid_url: field('Enter a valid URL.'),
  too_small: field(
    (p: { min: number }) => `Ensure this value is greater than or equal to ${p.min}.`,
  ),
  too_large: field((p: { max: number }) => `Ensure this value is less than or equal to ${p.max}.`),
  not_a_choice: field((p: { input: string }) => `"${p.input}" is not a valid choice.`),
  not_a_list: field((p: { got: string }) => `Expected a list of items but got type "${p.got}".`),
  too_many_elements: field(
    (p: { max: number }) => `Ensure this field has no more than ${p.max} elements.`,
  ),
  not_unique: field('This field must be unique.'),
  username_taken: field('A user with that username already exists.'),
  username_invalid: field(
    'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
  ),
  email_taken: field('User is already registered with this e-mail address.'),

  // Bodies
  not_an_object: general(
    (p: { got: string }) => `Invalid data. Expected a dictionary, but got ${p.got}.`,
  ),
  malformed_body: detail(
    400,
    (p: { kind: 'JSON' | 'Form' | 'Multipart form'; reason: string }) =>
      `${p.kind} parse error - ${p.reason}`,
  ),
  malformed_request: detail(400, 'Bad request.'),
  request_timeout: detail(408, 'Request timed out.'),
  body_too_large: detail(413, 'Request body is too large.'),
  headers_too_large: detail(431, 'Request header fields are too large.'),
  unsupported_media_type: detail(
    415,
    (p: { type: string }) => `Unsupported media type "${p.type}" in request.`,
  ),

  // Addresses and methods
  not_found: detail(404, 'Not found.'),
  method_not_allowed: detail(405, (p: { method: string }) => `Method "${p.method}" not allowed.`),

  // Authentication
  not_authenticated: detail(401, 'Authentication credentials were not provided.'),
  invalid_token: detail(401, 'Invalid token.'),
  token_header_empty: detail(401, 'Invalid token header. No credentials provided.'),
  token_header_spaces: detail(401, 'Invalid token header. Token string should not contain spaces.'),
  user_inactive_or_deleted: detail(401, 'User inactive or deleted.'),
  bad_authorization_header: coded(
    'bad_authorization_header',
    'Authorization header must contain two space-delimited values',
  ),
  access_token_not_valid: coded('token_not_valid', 'Given token not valid for any token type'),
  user_not_found: coded('user_not_found', 'User not found'),
  user_inactive: coded('user_inactive', 'User is inactive'),
  reauthentication_required: {
    ...detail(403, 'Recent authentication is required.'),
    code: 'reauthentication_required',
  },
  not_impersonable: {
    ...detail(403, 'Only ordinary, active users can be impersonated.'),
    code: 'not_impersonable',
  },
  impersonating: { ...detail(403, 'Not while impersonating.'), code: 'impersonating' },
  introspection_key_invalid: detail(401, 'Invalid introspection key.'),
  admin_key_invalid: detail(401, 'Invalid admin key.'),
  mfa_setup_required: forbidden('mfa_setup_required', 'Set up a second factor first.'),
  passkey_required: forbidden('passkey_required', 'Log in with your passkey.'),
  csrf_cookie_missing: detail(403, 'CSRF Failed: CSRF cookie not set.'),
  csrf_token_missing: detail(403, 'CSRF Failed: CSRF token missing.'),
  csrf_token_incorrect: detail(403, 'CSRF Failed: CSRF token incorrect.'),
  csrf_foreign_origin: detail(
    403,
    (p: { origin: string }) =>
      `CSRF Failed: Origin checking failed - ${p.origin} does not match any trusted origins.`,
  ),

  // Login and logout
  email_and_password_needed: general('Must include "email" and "password".'),
  username_and_password_needed: general('Must include "username" and "password".'),
  identifier_and_password_needed: general(
    'Must include either "username" or "email" and "password".',
  ),
  email_needed: general('Must include "email".'),
  username_needed: general('Must include "username".'),
  identifier_needed: general('Must include either "username" or "email".'),
  login_code_expired: at('session_id', 'The code has expired. Please start over.'),
  wrong_credentials: general('Unable to log in with provided credentials.'),
  email_not_verified: general('E-mail is not verified.'),
  not_logged_in: detail(
    400,
    'You should be logged in to logout. Check whether the token is passed.',
  ),

  // Passwords, reset and registration
  password_too_similar: field(
    (p: { attribute: string }) => `The password is too similar to the ${p.attribute}.`,
  ),
  password_too_short: field(
    (p: { min: number }) =>
      `This password is too short. It must contain at least ${p.min} characters.`,
  ),
  password_too_common: field('This password is too common.'),
  password_numeric: field('This password is entirely numeric.'),
  passwords_differ: field('The two password fields didn’t match.'),
  passwords_differ_at_registration: general("The two password fields didn't match."),
  old_password_wrong: field('Your old password was entered incorrectly. Please enter it again.'),
  invalid_value: field('Invalid value'),
  reauthentication_proof_needed: general('Must include "password", "code" or "credential".'),
  admin_proof_needed: general('Must include "code" or "credential".'),
  /** The password of a user who is signed in and must prove it again. */
  password_invalid: at('password', 'Invalid password.'),
  own_email: field('This is already your e-mail address.'),

  // JSON Web Tokens
  token_invalid: detail(401, 'Token is invalid'),
  token_expired: detail(401, 'Token is expired'),
  token_wrong_type: detail(401, 'Token has wrong type'),
  token_blacklisted: detail(401, 'Token is blacklisted'),
  no_refresh_token: coded('token_not_valid', 'No valid refresh token found.'),
  no_active_account: coded('no_active_account', 'No active account found for the given token.'),

  // Second factor
  ephemeral_token_invalid: at('ephemeral_token', 'Invalid or expired token.'),
  mfa_code_invalid: at('code', 'Invalid code.'),
  activation_token_invalid: at('activation_token', 'Invalid or expired activation token.'),
  activation_token_foreign: at('activation_token', 'Invalid activation token for this user.'),
  activation_code_invalid: at(
    'code',
    'Invalid code. Please check your authenticator app and try again.',
  ),
  mfa_already_enabled: detail(
    400,
    'MFA is already enabled. Deactivate it before activating again.',
  ),
  mfa_not_enabled: detail(400, 'MFA is not enabled.'),
  /** Also used for passkeys and social accounts: for everything that would outlive the password. */
  verify_email_first: general('Verify your e-mail address first.'),

  // Passkeys
  passkeys_not_configured: general(
    'Passkey RP settings (PASSKEY_RP_ID, PASSKEY_RP_NAME, PASSKEY_RP_ORIGINS) must be configured.',
  ),
  registration_challenge_expired: general('Registration challenge has expired. Please start over.'),
  registration_not_verified: general('Registration verification failed.'),
  credential_registered: general('This credential is already registered.'),
  too_many_passkeys: general(
    (p: { max: number }) => `You cannot have more than ${p.max} passkeys. Delete one first.`,
  ),
  authentication_challenge_expired: general(
    'Authentication challenge has expired. Please start over.',
  ),
  invalid_credential_format: general('Invalid credential format.'),
  authentication_not_verified: general('Authentication verification failed.'),
  passkey_last_way_in: detail(
    400,
    'This passkey is your only way to log in. Set a password or add another passkey first.',
  ),

  // Social login
  social_input_missing: general('Incorrect input. access_token or code is required.'),
  social_code_refused: general('Failed to exchange code for access token'),
  social_proof_refused: general('Incorrect value'),
  social_signup_closed: general('Sign up is currently closed.'),
  social_email_taken: general('User is already registered with this e-mail address.'),
  social_account_of_another: general(
    'The social account is already connected to a different account.',
  ),
  social_last_way_in: detail(
    400,
    'This is your only way to log in. Set a password or connect another account first.',
  ),

  // Administration
  not_allowed: forbidden('not_allowed', 'You are not allowed to do this.'),
  scope_missing: forbidden('scope_missing', 'The key does not have the scope for this.'),
  own_account: forbidden('own_account', 'You cannot do this to your own account.'),
  equal_or_above: forbidden(
    'equal_or_above',
    'You can change only users who have fewer rights than you.',
  ),
  last_superuser: forbidden('last_superuser', 'This is the last active superuser.'),
  user_without_address: detail(400, 'The user has no e-mail address.'),
  user_not_active: detail(400, 'The user is inactive.'),
  mail_limit_reached: detail(429, 'The user has got too many of these mails. Try again later.'),
  invalid_cursor: field('Invalid cursor.'),
  not_a_dictionary: field('Expected a dictionary of items.'),
  unknown_field: field('There is no such field.'),

  // The host
  /** The only words that are not ours: a hook or a rule of the host says them. */
  refused_by_host: field((p: { words: string }) => p.words),

  // Limits and faults
  /** Only the log shows this: the client is no longer there. */
  client_gone: detail(499, 'The client has gone.'),
  throttled: detail(
    429,
    (p: { seconds: number }) =>
      `Request was throttled. Expected available in ${p.seconds} second${p.seconds === 1 ? '' : 's'}.`,
  ),
  unavailable: detail(503, 'Service temporarily unavailable, try again later.'),
  internal: detail(500, 'Internal server error.'),
}
