import type { ProblemCode } from '../../packages/server/src/kernel/problems.ts'

/** When a refusal happens, and what the developer of a client does about it. */
type Advice = `${string}. → ${string}.`

/** A refusal that no client gets, since the client is no longer there. */
type Unseen = 'client_gone'

/** For docs/errors.md. A problem without advice does not compile. */
export const advice: Readonly<Record<Exclude<ProblemCode, Unseen>, Advice>> = {
  required: 'The body lacks the field. → Send it.',
  blank: 'The value is empty, or has only spaces. → Ask the user for a value.',
  null: 'The value is `null`. → Send a value, or leave the field out.',
  not_a_string: 'The value is a boolean, a list or an object. → Send text.',
  invalid_email: 'The value is not an e-mail address. → Ask for another one.',
  too_long: 'The value is longer than the field may be. → Shorten it.',
  wrong_pattern:
    'The value is not a `session_id`. → Send the one that the first step answered with.',
  null_characters: 'The text contains the character U+0000. → Remove it.',
  surrogate_characters: 'The text contains half of a character. → Send valid Unicode.',
  invalid_integer: 'The value is not a whole number. → Send one.',
  invalid_number: 'The value is not a number. → Send one.',
  invalid_boolean: 'The value is neither true nor false. → Send one of them.',
  invalid_date: 'The value is not a date. → Send one in this format.',
  invalid_datetime: 'The value is not a time. → Send one in this format.',
  invalid_url: 'The value is not a web address. → Send one with its `https://`.',
  too_small: 'The number is less than the `min` of the field. → Ask for another one.',
  too_large: 'The number is more than the `max` of the field. → Ask for another one.',
  not_a_choice: 'The value is not one of those that the field accepts. → Offer only those.',
  not_a_list: 'The value is not a list. → Send one.',
  too_many_elements: 'The list is longer than the field may be. → Shorten it.',
  not_unique: 'Another user has this value, and the field is unique. → Ask for another one.',
  username_taken: 'Another user has this name, perhaps in another case. → Ask for another one.',
  username_invalid: 'The name contains characters that are not allowed. → Ask for another one.',
  email_taken: 'Another account has this address. → Offer a login or a password reset.',
  email_not_allowed:
    'The settings do not allow addresses of this domain, or the invitation is for another address. → Ask for another one.',

  not_an_object: 'The body is JSON, but not an object. → Send an object.',
  malformed_body: 'The body does not match its `Content-Type`. → Correct the body or the header.',
  malformed_request: 'The request cannot be read, for example its address. → Correct the client.',
  request_timeout: 'The request did not arrive in time. → Try again.',
  body_too_large: 'The body has more than 64 KiB. → Send less.',
  headers_too_large: 'The headers are too large, mostly because of cookies. → Clear some cookies.',
  unsupported_media_type: 'The body is neither JSON nor a form. → Set `Content-Type`.',

  not_found:
    'The path, the link or the object does not exist, belongs to somebody else, or is switched off. → Check the path and the settings; for a link from a mail, offer a new mail.',
  method_not_allowed:
    'The path does not support this method. → Use one that the header `Allow` names.',

  not_authenticated: 'The request has no credential, or its session has ended. → Ask for a login.',
  invalid_token: 'The token key is unknown, or a logout deleted it. → Ask for a login.',
  token_header_empty: 'Nothing follows the word `Token`. → Send the key.',
  token_header_spaces: 'Several words follow the word `Token`. → Send the key alone.',
  user_inactive_or_deleted: 'The account was deactivated or deleted. → Tell the user.',
  bad_authorization_header:
    'Nothing, or more than one word, follows the word `Bearer`. → Send one token.',
  access_token_not_valid:
    'The access token has expired, its login has ended, or it was not made for this service. → Refresh it once; if that fails, ask for a login.',
  user_not_found: 'The user of the token does not exist. → Ask for a login.',
  user_inactive: 'The account was deactivated. → Tell the user.',
  not_impersonable:
    'The user is inactive, or is an operator. → Offer it only for ordinary, active users.',
  impersonating:
    'An operator uses the account of the user, and the endpoint is only for the user. → Hide it while `user/` has `impersonated_by`.',
  reauthentication_required:
    'The change needs a recent login. → Ask for the password, send it to `reauthenticate/`, and repeat the request.',
  api_key_scope_missing:
    'A key that a user made for a program lacks the scope, or the endpoint accepts no such key. → Make a key with the scope, or log in.',
  introspection_key_invalid:
    'The key of another service is wrong. → Send `INTROSPECTION_KEY` as `Authorization: Bearer`.',
  admin_key_invalid:
    'The admin key is wrong, was revoked, or has expired. → Make another one with `latchkey admin-key create`.',
  mfa_setup_required:
    'The user must have a second factor (`MFA_REQUIRED`, or as an operator) and has none, so the login can only set one up. → Call `mfa/totp/activate/`; operators call that or `passkeys/register/begin/` of the admin API.',
  passkey_required:
    'The operator has a passkey and no authenticator app, so a password is enough neither for the admin pages nor to add or remove a factor. → Call `passkeys/login/begin/`, and use that login. A key that all logins share is not enough either.',
  csrf_cookie_missing: 'The request has a login cookie, but no cookie `csrftoken`. → Call `csrf/`.',
  csrf_token_missing:
    'The request has a login cookie, but no CSRF token. → Send the token in the header `X-CSRFToken`.',
  csrf_token_incorrect: 'The CSRF token belongs to another login. → Call `csrf/` after each login.',
  csrf_foreign_origin:
    'A page of another origin sent the request. → If it is yours, add it to `CSRF_TRUSTED_ORIGINS` or `CORS_ALLOWED_ORIGINS`; behind a proxy, set `PUBLIC_URL`.',

  email_and_password_needed:
    'A field is missing, and users log in with their address only. → Send both.',
  username_and_password_needed:
    'A field is missing, and users log in with their name only. → Send both.',
  identifier_and_password_needed: 'A field is missing. → Send the name or the address as well.',
  email_needed: 'The address is missing. → Send it.',
  username_needed: 'The name is missing. → Send it.',
  identifier_needed: 'Name and address are missing. → Send one of them.',
  login_code_expired:
    'The code was already used, has expired, or was wrong three times. → Call `login/code/` again.',
  wrong_credentials:
    'There is no such user, the password is wrong, or the account is inactive. → Let the user try again; the answer never says which.',
  email_not_verified:
    'The password is right, but the address is not confirmed. → Offer `registration/resend-email/`.',
  not_logged_in: 'Nobody is logged in. → Do nothing; the login has already ended.',

  password_too_similar:
    'The password is similar to the name or the address. → Ask for another one.',
  password_too_short: 'The password is too short. → Ask for a longer one.',
  password_too_common: 'The password is a common one. → Ask for another one.',
  password_numeric: 'The password has only digits. → Ask for another one.',
  passwords_differ: 'The new password was not typed the same way twice. → Ask again.',
  passwords_differ_at_registration: 'The password was not typed the same way twice. → Ask again.',
  old_password_wrong: 'The old password is wrong; this counts as a failed login. → Ask again.',
  invitation_required:
    'The setting `ACCOUNT.SIGNUP` is `invited`, and the request has no `invitation`. → Open registration only from the link in an invitation.',
  invitation_invalid:
    'The invitation was used, revoked or sent again, or has expired. → Tell the user to ask for a new one.',
  signup_closed: 'The setting `ACCOUNT.SIGNUP` is `closed`. → Offer no registration.',
  captcha_refused:
    'The request needs an answer to the captcha, and has none or a wrong one. Each answer works once. → Show the captcha, and send what it gives as `captcha`.',
  invalid_value:
    'The link was already used, has expired, or is incomplete. → Offer a new mail with `password/reset/`.',
  reauthentication_proof_needed: 'The body has no proof. → Send one of them.',
  admin_proof_needed:
    'The body has no proof, or only a password, which proves nothing at the admin API. → Send one of them.',
  password_invalid: 'The password is wrong; this counts as a failed login. → Ask again.',
  own_email: 'The account already has this address. → Do nothing.',

  token_invalid: 'The token is damaged, or was not made for this service. → Ask for a login.',
  token_expired:
    'The token has expired. → Refresh an access token; for a refresh token, ask for a login.',
  token_wrong_type:
    'An access token was sent in place of a refresh token, or a refresh token in place of an access token. → Send the other one.',
  token_blacklisted:
    'The refresh token was used or its login has ended. → Ask for a login; never use a refresh token twice.',
  no_refresh_token: 'Neither the body nor a cookie has a refresh token. → Ask for a login.',
  no_active_account: 'The account was deactivated or deleted. → Ask for a login.',

  ephemeral_token_invalid: 'The second step took too long, or is done. → Start the login again.',
  mfa_code_invalid: 'The code is wrong, has expired, or was already used. → Ask for the next code.',
  activation_token_invalid: 'The activation took too long, or is done. → Start it again.',
  activation_token_foreign: 'Another user started this activation. → Start it again.',
  activation_code_invalid: 'The code is wrong. → Ask for the next one; check the clock.',
  mfa_already_enabled: 'The second factor is already on. → Show that it is.',
  mfa_not_enabled: 'The second factor is off. → Show that it is.',
  verify_email_first:
    'A second factor, passkey or social account needs a confirmed address. → Offer `registration/resend-email/`.',

  passkeys_not_configured:
    'Browsers would not accept passkeys with these settings. → Change the settings that the message names.',
  registration_challenge_expired: 'The ceremony took too long, or is done. → Start it again.',
  registration_not_verified: 'The answer of the passkey is not valid. → Start again.',
  credential_registered: 'This passkey is already registered. → Use another one.',
  too_many_api_keys: 'The user has the maximum number of keys. → Offer to delete one.',
  expires_in_the_past: 'The key would have expired already. → Ask for a later time.',
  too_many_passkeys: 'The user has the maximum number of passkeys. → Offer to delete one.',
  authentication_challenge_expired: 'The ceremony took too long, or is done. → Start it again.',
  invalid_credential_format: 'The answer of the browser is incomplete. → Send it as JSON.',
  authentication_not_verified:
    'The passkey is unknown, or its answer is not valid. → Offer another way to log in.',
  passkey_last_way_in: 'Without it the user could not log in. → Offer to set a password first.',

  social_input_missing:
    'The body has neither a token nor a code. → Send what the provider answered.',
  social_code_refused: 'The provider refused the code. → Start again at the provider.',
  social_proof_refused: 'The token of the provider is not valid. → Start again at the provider.',
  social_signup_closed:
    'There is no account for this login, and sign-up is closed. → Tell the user.',
  social_email_taken:
    'An account has this address, but is not connected. → Ask for a login, then connect.',
  social_account_of_another: 'Another user has connected it. → Tell the user.',
  social_last_way_in: 'Without it the user could not log in. → Offer to set a password first.',

  not_allowed: 'The operator lacks the rights for this. → Ask a superuser.',
  scope_missing: 'The admin key lacks a scope. → Make a key with that scope.',
  own_account: 'Operators cannot do this to themselves. → Ask another operator.',
  equal_or_above:
    'The user has the same rights as the operator, or more. → Ask a superuser, or use the command line.',
  last_superuser:
    'Without this account nobody could administer the service. → Make another user a superuser first.',
  invitations_off: 'The setting `ACCOUNT.SIGNUP` is not `invited`. → Change the setting first.',
  user_without_address: 'The user has no address to mail to. → Give the user one first.',
  user_not_active:
    'The user is inactive, so the link in the mail would not work. → Activate the user first.',
  mail_limit_reached: 'Too many mails went to this address (`ACCOUNT.RATE_LIMITS`). → Wait.',
  invalid_cursor:
    'The cursor is not one of this list, or the other parameters have changed. → Start with the first page.',

  not_a_dictionary: 'The value is not an object. → Send one.',
  unknown_field: 'No field of `USER_FIELDS` has this name. → Declare it, or leave it out.',

  refused_by_host:
    'A hook or a rule of the host program refused the request, under a field or under `non_field_errors`. → Show its message.',
  throttled: 'There were too many requests. → Wait as long as the header `Retry-After` says.',
  unavailable:
    'The database or a provider does not answer. → Wait as long as the header `Retry-After` says.',
  internal:
    'An unexpected error in the service. → Find the log lines with the id in the header `X-Request-Id`.',
}
