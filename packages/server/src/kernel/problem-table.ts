import { at, coded, detail, field, general, type Row } from './problem-row.ts'
import { operatorProblems, programProblems } from './program-problems.ts'
import { noted } from './words/text.ts'

/** People meet these, so every page has the words. */
export const userProblems = {
  ...noted('Below one field of a form. The field is named beside the text, so do not name it.', {
    required: field('This field is required.'),
    blank: field('This field may not be blank.'),
    null: field('This field may not be null.'),
    not_a_string: field('Not a valid string.'),
    invalid_email: field('Enter a valid email address.'),
    wrong_pattern: field('This value does not match the required pattern.'),
    null_characters: field('Null characters are not allowed.'),
    invalid_integer: field('A valid integer is required.'),
    invalid_number: field('A valid number is required.'),
    invalid_boolean: field('Must be a valid boolean.'),
    invalid_url: field('Enter a valid URL.'),
    not_unique: field('This field must be unique.'),
    invalid_value: field('Invalid value'),
  }),
  ...noted('Below one field of a form. {max} and {min} are numbers.', {
    too_long: field('Ensure this field has no more than {max} characters.'),
    too_small: field('Ensure this value is greater than or equal to {min}.'),
    too_large: field('Ensure this value is less than or equal to {max}.'),
    too_many_elements: field('Ensure this field has no more than {max} elements.'),
  }),
  ...noted('Below one field of a form. {codePoint} is a number of Unicode, such as D800.', {
    surrogate_characters: field('Surrogate characters are not allowed: U+{codePoint}.'),
  }),
  ...noted('Below one field of a form. Keep the pattern as it is: programs read it.', {
    invalid_date: field('Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'),
    invalid_datetime: field(
      'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    ),
  }),
  ...noted(
    'Below one field of a form. {input} is what was sent, {got} a type of the programming language.',
    {
      not_a_choice: field('"{input}" is not a valid choice.'),
      not_a_list: field('Expected a list of items but got type "{got}".'),
    },
  ),
  ...noted('At registration, below the name or the address.', {
    username_taken: field('A user with that username already exists.'),
    username_invalid: field(
      'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
    ),
    email_taken: field('User is already registered with this e-mail address.'),
    social_email_taken: general('User is already registered with this e-mail address.'),
  }),
  ...noted('A path or a thing that does not exist, or belongs to somebody else.', {
    not_found: detail(404, 'Not found.'),
  }),
  ...noted(
    'The user must show again that it is them, with a password, a code or a passkey, or must do something else first.',
    {
      reauthentication_required: coded(403, 'Recent authentication is required.'),
      mfa_setup_required: coded(403, 'Set up a second factor first.'),
      passkey_required: coded(403, 'Log in with your passkey.'),
      /** Also used for passkeys and social accounts: for everything that would outlive the password. */
      verify_email_first: general('Verify your e-mail address first.'),
    },
  ),
  ...noted('Operators can act as another user, to help them. This is called impersonating.', {
    not_impersonable: coded(403, 'Only ordinary, active users can be impersonated.'),
    impersonating: coded(403, 'Not while impersonating.'),
  }),
  ...noted(
    'A page of another site has sent the request. CSRF, cookie and token are technical terms. {origin} is the address of that site.',
    {
      csrf_cookie_missing: detail(403, 'CSRF Failed: CSRF cookie not set.'),
      csrf_token_missing: detail(403, 'CSRF Failed: CSRF token missing.'),
      csrf_token_incorrect: detail(403, 'CSRF Failed: CSRF token incorrect.'),
      csrf_foreign_origin: detail(
        403,
        'CSRF Failed: Origin checking failed - {origin} does not match any trusted origins.',
      ),
    },
  ),
  ...noted(
    'Names of fields are in quotation marks. They stay English, and so do the quotation marks.',
    {
      email_and_password_needed: general('Must include "email" and "password".'),
      username_and_password_needed: general('Must include "username" and "password".'),
      identifier_and_password_needed: general(
        'Must include either "username" or "email" and "password".',
      ),
      email_needed: general('Must include "email".'),
      username_needed: general('Must include "username".'),
      identifier_needed: general('Must include either "username" or "email".'),
      reauthentication_proof_needed: general('Must include "password", "code" or "credential".'),
      admin_proof_needed: general('Must include "code" or "credential".'),
    },
  ),
  ...noted('At login and logout. It must not say whether the name or the password is wrong.', {
    wrong_credentials: general('Unable to log in with provided credentials.'),
    email_not_verified: general('E-mail is not verified.'),
    not_logged_in: detail(
      400,
      'You should be logged in to logout. Check whether the token is passed.',
    ),
    login_code_expired: at('session_id', 'The code has expired. Please start over.'),
  }),
  ...noted(
    'Below a new password. {attribute} is one of the attributes, such as “username”; {min} is a number.',
    {
      password_too_similar: field('The password is too similar to the {attribute}.'),
      password_too_short: field(
        'This password is too short. It must contain at least {min} characters.',
      ),
      password_too_common: field('This password is too common.'),
      password_numeric: field('This password is entirely numeric.'),
    },
  ),
  ...noted('Below a password that is typed again, or typed to prove who it is.', {
    passwords_differ: field('The two password fields didn’t match.'),
    passwords_differ_at_registration: general("The two password fields didn't match."),
    old_password_wrong: field('Your old password was entered incorrectly. Please enter it again.'),
    /** The password of a user who is signed in and must prove it again. */
    password_invalid: at('password', 'Invalid password.'),
  }),
  ...noted('Below a new e-mail address.', {
    own_email: field('This is already your e-mail address.'),
    email_not_allowed: field('This e-mail address cannot be used here.'),
  }),
  ...noted(
    'The second step of a login. TOTP and MFA are technical terms; the code is six digits from an app.',
    {
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
    },
  ),
  ...noted('Passkeys. A credential is what the browser sends for one. {max} is a number.', {
    passkeys_not_configured: general(
      'Passkey RP settings (PASSKEY_RP_ID, PASSKEY_RP_NAME, PASSKEY_RP_ORIGINS) must be configured.',
    ),
    registration_challenge_expired: general(
      'Registration challenge has expired. Please start over.',
    ),
    registration_not_verified: general('Registration verification failed.'),
    credential_registered: general('This credential is already registered.'),
    too_many_passkeys: general('You cannot have more than {max} passkeys. Delete one first.'),
    authentication_challenge_expired: general(
      'Authentication challenge has expired. Please start over.',
    ),
    invalid_credential_format: general('Invalid credential format.'),
    authentication_not_verified: general('Authentication verification failed.'),
    passkey_last_way_in: detail(
      400,
      'This passkey is your only way to log in. Set a password or add another passkey first.',
    ),
  }),
  ...noted(
    'Login with an account elsewhere, such as Google. access_token and code are names of fields.',
    {
      social_input_missing: general('Incorrect input. access_token or code is required.'),
      social_code_refused: general('Failed to exchange code for access token'),
      social_proof_refused: general('Incorrect value'),
      social_signup_closed: general('Sign up is currently closed.'),
      social_account_of_another: general(
        'The social account is already connected to a different account.',
      ),
      social_last_way_in: detail(
        400,
        'This is your only way to log in. Set a password or connect another account first.',
      ),
    },
  ),
  ...noted('Who may register. A captcha has not been solved.', {
    invitation_required: detail(403, 'Registration is by invitation.'),
    invitations_off: detail(400, 'Invitations are off.'),
    invitation_invalid: at('invitation', 'This invitation is not valid, or no longer.'),
    signup_closed: detail(403, 'Registration is currently closed.'),
    captcha_refused: at('captcha', 'Please confirm that you are human.'),
  }),
  ...noted('Keys that users make for their programs. {max} is a number.', {
    api_key_scope_missing: coded(403, 'This key is not allowed to do this.'),
    too_many_api_keys: general('You cannot have more than {max} keys. Delete one first.'),
    expires_in_the_past: field('Choose a time in the future.'),
  }),
  ...noted('A superuser is an operator who has all rights.', {
    last_superuser: coded(403, 'This is the last active superuser.'),
  }),
} satisfies Record<string, Row>

/** Every refusal in words of ours. */
export const wordedProblems = { ...userProblems, ...operatorProblems, ...programProblems }

/** Every refusal of the service, by its code. */
export const problems = {
  ...wordedProblems,
  /** A hook or a rule of the host says the words. */
  refused_by_host: field('{words}'),
}
