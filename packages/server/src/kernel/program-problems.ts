import { coded, detail, field, general, type Row } from './problem-row.ts'
import { noted } from './words/text.ts'

/** Only operators meet these, so only their pages have the words. */
export const operatorProblems = {
  ...noted(
    'For operators of the service, who look after the accounts of users. A superuser has all rights.',
    {
      not_allowed: coded(403, 'You are not allowed to do this.'),
      scope_missing: coded(403, 'The key does not have the scope for this.'),
      own_account: coded(403, 'You cannot do this to your own account.'),
      equal_or_above: coded(403, 'You can change only users who have fewer rights than you.'),
      user_without_address: detail(400, 'The user has no e-mail address.'),
      user_not_active: detail(400, 'The user is inactive.'),
      mail_limit_reached: detail(429, 'The user has got too many of these mails. Try again later.'),
      invalid_cursor: field('Invalid cursor.'),
      unknown_field: field('There is no such field.'),
    },
  ),
} satisfies Record<string, Row>

/** Programs meet these. Pages do not cause them, or have one text for several of them. */
export const programProblems = {
  ...noted(
    'For programmers: the request cannot be read. {got}, {kind}, {reason}, {type} and {method} stay English.',
    {
      not_an_object: general('Invalid data. Expected a dictionary, but got {got}.'),
      not_a_dictionary: field('Expected a dictionary of items.'),
      malformed_body: detail(400, '{kind} parse error - {reason}'),
      malformed_request: detail(400, 'Bad request.'),
      request_timeout: detail(408, 'Request timed out.'),
      body_too_large: detail(413, 'Request body is too large.'),
      headers_too_large: detail(431, 'Request header fields are too large.'),
      unsupported_media_type: detail(415, 'Unsupported media type "{type}" in request.'),
      method_not_allowed: detail(405, 'Method "{method}" not allowed.'),
    },
  ),
  ...noted(
    'The program has sent no login, or one that is not valid. A token is a secret text that stands for a login.',
    {
      not_authenticated: detail(401, 'Authentication credentials were not provided.'),
      invalid_token: detail(401, 'Invalid token.'),
      token_header_empty: detail(401, 'Invalid token header. No credentials provided.'),
      token_header_spaces: detail(
        401,
        'Invalid token header. Token string should not contain spaces.',
      ),
      user_inactive_or_deleted: detail(401, 'User inactive or deleted.'),
      bad_authorization_header: coded(
        401,
        'Authorization header must contain two space-delimited values',
      ),
      access_token_not_valid: coded(
        401,
        'Given token not valid for any token type',
        'token_not_valid',
      ),
      user_not_found: coded(401, 'User not found'),
      user_inactive: coded(401, 'User is inactive'),
      introspection_key_invalid: detail(401, 'Invalid introspection key.'),
      admin_key_invalid: detail(401, 'Invalid admin key.'),
      token_invalid: detail(401, 'Token is invalid'),
      token_expired: detail(401, 'Token is expired'),
      token_wrong_type: detail(401, 'Token has wrong type'),
      token_blacklisted: detail(401, 'Token is blacklisted'),
      no_refresh_token: coded(401, 'No valid refresh token found.', 'token_not_valid'),
      no_active_account: coded(401, 'No active account found for the given token.'),
    },
  ),
  ...noted('Too many requests, or a failure of the service. {seconds} is a number.', {
    throttled: detail(429, {
      one: 'Request was throttled. Expected available in {seconds} second.',
      other: 'Request was throttled. Expected available in {seconds} seconds.',
    }),
    /** Only the log shows this: the client is no longer there. */
    client_gone: detail(499, 'The client has gone.'),
    unavailable: detail(503, 'Service temporarily unavailable, try again later.'),
    internal: detail(500, 'Internal server error.'),
  }),
} satisfies Record<string, Row>
