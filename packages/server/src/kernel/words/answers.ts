import { messages } from './messages.ts'
import { noted } from './text.ts'

/**
 * What the service says in its answers, by code. Problems have their status and place in
 * `kernel/problem-table.ts`; the messages at the end say what was done. The English texts never change:
 * clients compare them.
 */
export const answers = {
  ...noted('Below one field of a form. The field is named beside the text, so do not name it.', {
    required: 'This field is required.',
    blank: 'This field may not be blank.',
    null: 'This field may not be null.',
    not_a_string: 'Not a valid string.',
    invalid_email: 'Enter a valid email address.',
    wrong_pattern: 'This value does not match the required pattern.',
    null_characters: 'Null characters are not allowed.',
    invalid_integer: 'A valid integer is required.',
    invalid_number: 'A valid number is required.',
    invalid_boolean: 'Must be a valid boolean.',
    invalid_url: 'Enter a valid URL.',
    not_unique: 'This field must be unique.',
    invalid_value: 'Invalid value',
  }),
  ...noted('Below one field of a form. {max} and {min} are numbers.', {
    too_long: 'Ensure this field has no more than {max} characters.',
    too_small: 'Ensure this value is greater than or equal to {min}.',
    too_large: 'Ensure this value is less than or equal to {max}.',
    too_many_elements: 'Ensure this field has no more than {max} elements.',
  }),
  ...noted('Below one field of a form. {codePoint} is a number of Unicode, such as D800.', {
    surrogate_characters: 'Surrogate characters are not allowed: U+{codePoint}.',
  }),
  ...noted('Below one field of a form. Keep the pattern as it is: programs read it.', {
    invalid_date: 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
    invalid_datetime:
      'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  }),
  ...noted(
    'Below one field of a form. {input} is what was sent, {got} a type of the programming language.',
    {
      not_a_choice: '"{input}" is not a valid choice.',
      not_a_list: 'Expected a list of items but got type "{got}".',
    },
  ),
  ...noted('At registration, below the name or the address.', {
    username_taken: 'A user with that username already exists.',
    username_invalid:
      'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
    email_taken: 'User is already registered with this e-mail address.',
    social_email_taken: 'User is already registered with this e-mail address.',
  }),
  ...noted(
    'For programmers: the request cannot be read. {got}, {kind}, {reason}, {type} and {method} stay English.',
    {
      not_an_object: 'Invalid data. Expected a dictionary, but got {got}.',
      not_a_dictionary: 'Expected a dictionary of items.',
      malformed_body: '{kind} parse error - {reason}',
      malformed_request: 'Bad request.',
      request_timeout: 'Request timed out.',
      body_too_large: 'Request body is too large.',
      headers_too_large: 'Request header fields are too large.',
      unsupported_media_type: 'Unsupported media type "{type}" in request.',
      method_not_allowed: 'Method "{method}" not allowed.',
    },
  ),
  ...noted('A path or a thing that does not exist, or belongs to somebody else.', {
    not_found: 'Not found.',
  }),
  ...noted(
    'The program has sent no login, or one that is not valid. A token is a secret text that stands for a login.',
    {
      not_authenticated: 'Authentication credentials were not provided.',
      invalid_token: 'Invalid token.',
      token_header_empty: 'Invalid token header. No credentials provided.',
      token_header_spaces: 'Invalid token header. Token string should not contain spaces.',
      user_inactive_or_deleted: 'User inactive or deleted.',
      bad_authorization_header: 'Authorization header must contain two space-delimited values',
      access_token_not_valid: 'Given token not valid for any token type',
      user_not_found: 'User not found',
      user_inactive: 'User is inactive',
      introspection_key_invalid: 'Invalid introspection key.',
      admin_key_invalid: 'Invalid admin key.',
      token_invalid: 'Token is invalid',
      token_expired: 'Token is expired',
      token_wrong_type: 'Token has wrong type',
      token_blacklisted: 'Token is blacklisted',
      no_refresh_token: 'No valid refresh token found.',
      no_active_account: 'No active account found for the given token.',
    },
  ),
  ...noted(
    'The user must show again that it is them, with a password, a code or a passkey, or must do something else first.',
    {
      reauthentication_required: 'Recent authentication is required.',
      mfa_setup_required: 'Set up a second factor first.',
      passkey_required: 'Log in with your passkey.',
      verify_email_first: 'Verify your e-mail address first.',
    },
  ),
  ...noted('Operators can act as another user, to help them. This is called impersonating.', {
    not_impersonable: 'Only ordinary, active users can be impersonated.',
    impersonating: 'Not while impersonating.',
  }),
  ...noted(
    'A page of another site has sent the request. CSRF, cookie and token are technical terms. {origin} is the address of that site.',
    {
      csrf_cookie_missing: 'CSRF Failed: CSRF cookie not set.',
      csrf_token_missing: 'CSRF Failed: CSRF token missing.',
      csrf_token_incorrect: 'CSRF Failed: CSRF token incorrect.',
      csrf_foreign_origin:
        'CSRF Failed: Origin checking failed - {origin} does not match any trusted origins.',
    },
  ),
  ...noted(
    'Names of fields are in quotation marks. They stay English, and so do the quotation marks.',
    {
      email_and_password_needed: 'Must include "email" and "password".',
      username_and_password_needed: 'Must include "username" and "password".',
      identifier_and_password_needed: 'Must include either "username" or "email" and "password".',
      email_needed: 'Must include "email".',
      username_needed: 'Must include "username".',
      identifier_needed: 'Must include either "username" or "email".',
      reauthentication_proof_needed: 'Must include "password", "code" or "credential".',
      admin_proof_needed: 'Must include "code" or "credential".',
    },
  ),
  ...noted('At login and logout. It must not say whether the name or the password is wrong.', {
    wrong_credentials: 'Unable to log in with provided credentials.',
    email_not_verified: 'E-mail is not verified.',
    not_logged_in: 'You should be logged in to logout. Check whether the token is passed.',
    login_code_expired: 'The code has expired. Please start over.',
  }),
  ...noted(
    'Below a new password. {attribute} is one of the attributes, such as “username”; {min} is a number.',
    {
      password_too_similar: 'The password is too similar to the {attribute}.',
      password_too_short: 'This password is too short. It must contain at least {min} characters.',
      password_too_common: 'This password is too common.',
      password_numeric: 'This password is entirely numeric.',
    },
  ),
  ...noted('Below a password that is typed again, or typed to prove who it is.', {
    passwords_differ: 'The two password fields didn’t match.',
    passwords_differ_at_registration: "The two password fields didn't match.",
    old_password_wrong: 'Your old password was entered incorrectly. Please enter it again.',
    password_invalid: 'Invalid password.',
  }),
  ...noted('Below a new e-mail address.', {
    own_email: 'This is already your e-mail address.',
    email_not_allowed: 'This e-mail address cannot be used here.',
  }),
  ...noted(
    'The second step of a login. TOTP and MFA are technical terms; the code is six digits from an app.',
    {
      ephemeral_token_invalid: 'Invalid or expired token.',
      mfa_code_invalid: 'Invalid code.',
      activation_token_invalid: 'Invalid or expired activation token.',
      activation_token_foreign: 'Invalid activation token for this user.',
      activation_code_invalid: 'Invalid code. Please check your authenticator app and try again.',
      mfa_already_enabled: 'MFA is already enabled. Deactivate it before activating again.',
      mfa_not_enabled: 'MFA is not enabled.',
    },
  ),
  ...noted('Passkeys. A credential is what the browser sends for one. {max} is a number.', {
    passkeys_not_configured:
      'Passkey RP settings (PASSKEY_RP_ID, PASSKEY_RP_NAME, PASSKEY_RP_ORIGINS) must be configured.',
    registration_challenge_expired: 'Registration challenge has expired. Please start over.',
    registration_not_verified: 'Registration verification failed.',
    credential_registered: 'This credential is already registered.',
    too_many_passkeys: 'You cannot have more than {max} passkeys. Delete one first.',
    authentication_challenge_expired: 'Authentication challenge has expired. Please start over.',
    invalid_credential_format: 'Invalid credential format.',
    authentication_not_verified: 'Authentication verification failed.',
    passkey_last_way_in:
      'This passkey is your only way to log in. Set a password or add another passkey first.',
  }),
  ...noted(
    'Login with an account elsewhere, such as Google. access_token and code are names of fields.',
    {
      social_input_missing: 'Incorrect input. access_token or code is required.',
      social_code_refused: 'Failed to exchange code for access token',
      social_proof_refused: 'Incorrect value',
      social_signup_closed: 'Sign up is currently closed.',
      social_account_of_another: 'The social account is already connected to a different account.',
      social_last_way_in:
        'This is your only way to log in. Set a password or connect another account first.',
    },
  ),
  ...noted('Who may register. A captcha has not been solved.', {
    invitation_required: 'Registration is by invitation.',
    invitations_off: 'Invitations are off.',
    invitation_invalid: 'This invitation is not valid, or no longer.',
    signup_closed: 'Registration is currently closed.',
    captcha_refused: 'Please confirm that you are human.',
  }),
  ...noted('Keys that users make for their programs. {max} is a number.', {
    api_key_scope_missing: 'This key is not allowed to do this.',
    too_many_api_keys: 'You cannot have more than {max} keys. Delete one first.',
    expires_in_the_past: 'Choose a time in the future.',
  }),
  ...noted(
    'For operators of the service, who look after the accounts of users. A superuser has all rights.',
    {
      not_allowed: 'You are not allowed to do this.',
      scope_missing: 'The key does not have the scope for this.',
      own_account: 'You cannot do this to your own account.',
      equal_or_above: 'You can change only users who have fewer rights than you.',
      last_superuser: 'This is the last active superuser.',
      user_without_address: 'The user has no e-mail address.',
      user_not_active: 'The user is inactive.',
      mail_limit_reached: 'The user has got too many of these mails. Try again later.',
      invalid_cursor: 'Invalid cursor.',
      unknown_field: 'There is no such field.',
    },
  ),
  ...noted('Too many requests, or a failure of the service. {seconds} is a number.', {
    throttled: {
      one: 'Request was throttled. Expected available in {seconds} second.',
      other: 'Request was throttled. Expected available in {seconds} seconds.',
    },
    client_gone: 'The client has gone.',
    unavailable: 'Service temporarily unavailable, try again later.',
    internal: 'Internal server error.',
  }),
  ...messages,
}
