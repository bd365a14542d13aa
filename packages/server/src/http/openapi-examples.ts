import type { TSchema } from '@sinclair/typebox'
import type { Fields } from './fields.ts'

/** Used for values that have no example yet. */
export const NO_EXAMPLE = 'text'

const TOKEN =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VyX2lkIjoiMSJ9.q3b2ZcL0lJ9nqJ0rV4mXhT8oYwUe6KfRk1sDgAzNvQc'
const WEBAUTHN_BYTES = 'tVQ3kVhY0w0s0T1sYk3F5w'
const TIME = '2030-01-01T12:00:00.000Z'
const PASSWORD = 'correct horse battery staple'

/** All examples show the same invented person. Keys are names on the wire. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  pk: 1,
  username: 'ada',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  password: PASSWORD,
  password1: PASSWORD,
  password2: PASSWORD,
  old_password: 'an older password of mine',
  new_password1: PASSWORD,
  new_password2: PASSWORD,
  detail: 'ok',
  csrf_token: 'QJ3vXq9aT2m5.hKcE0pLrYw7uNz1sVb8dGf6i',
  uid: 'MQ',
  token: TOKEN,
  key: '0123456789abcdef0123456789abcdef01234567',
  access: TOKEN,
  refresh: TOKEN,
  access_expiration: TIME,
  refresh_expiration: TIME,
  ephemeral_token: 'Zk3nQv8sYt1wRb6xLc0mUe5hJd2gPa7fNi4oKq9jTzE',
  activation_token: 'Hw2rTy5uJk8lMn1bVc4xZa7sQd0fGe3iOp6hRt9yUwI',
  code: '123456',
  codes: '7k2mq-x9rtd',
  recovery_codes: '7k2mq-x9rtd',
  recovery_codes_left: 10,
  mfa_enabled: true,
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  totp_url: 'otpauth://totp/Latchkey:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Latchkey',
  qr_code_data_uri: 'data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=',
  id: 1,
  name: 'Laptop',
  credential_id: WEBAUTHN_BYTES,
  created_at: TIME,
  last_used_at: TIME,
  last_login: TIME,
  expires_at: TIME,
  method: 'password',
  purpose: 'verify',
  address: '192.0.2.1',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  current: true,
  date_joined: TIME,
  transports: 'internal',
  discoverable: true,
  session_id: '0123456789abcdef0123456789abcdef',
  verified: true,
  pending: 'ada@new.example',
  credential: {
    id: WEBAUTHN_BYTES,
    rawId: WEBAUTHN_BYTES,
    type: 'public-key',
    response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0' },
    clientExtensionResults: {},
  },
  challenge: 'n0P3aYv6cR9tX2wZ5bE8hK1mQ4sU7jL0oD3gF6iA9vM',
  'rp.id': 'auth.example.com',
  'rp.name': 'Example',
  rpId: 'auth.example.com',
  'user.id': 'b3J0aG9nb25hbC1oYW5kbGUtb2YtYWRh',
  'user.name': 'ada',
  displayName: 'ada',
  'allowCredentials.id': WEBAUTHN_BYTES,
  'excludeCredentials.id': WEBAUTHN_BYTES,
  alg: -7,
  timeout: 300_000,
  requireResidentKey: false,
  credProps: true,
  keys: {
    kty: 'OKP',
    crv: 'Ed25519',
    kid: 'sWm3',
    use: 'sig',
    alg: 'EdDSA',
    x: '11qYAYKxCrfVS_7TyWQHOg',
  },
  provider: 'google',
  'SocialAccount.uid': '110169484474386276334',
  access_token: 'ya29.a0AfH6SMBx',
  id_token: TOKEN,
  redirect_uri: 'https://app.example.com/callback',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  nonce: 'n-0S6_WzA2Mj',
  next: 'v1.cTNiMlpjTDBsSjlucUow.clY0bVhoVDhvWXdVZTZLZlJrMXM',
  reason: 'Ticket 4711',
  mfa: true,
  mfa_setup_required: false,
  is_staff: true,
  is_superuser: false,
  proved_at: TIME,
  since: TIME,
  due_at: TIME,
  to: 'ada@example.com',
  letter: 'verify-email',
  receiver: 'https://app.example.com/events',
  url: 'https://auth.example.com/account/impersonate/Zk3nQv8sYt1wRb6xLc0mUe5h',
  expires: '90d',
}

/** A request body with its usual fields, or with all of them. */
export const exampleBody = (fields: Fields, usual: readonly string[] = Object.keys(fields)) =>
  Object.fromEntries(
    usual.flatMap((name) => {
      const field = fields[name]
      return field ? [[name, exampleOf(field.schema as TSchema, name)]] : []
    }),
  )

/**
 * An example of an answer. Values are found by name, with the name of their parent if necessary.
 */
export function exampleOf(schema: TSchema, name = '', parent: string = schema.$id ?? ''): unknown {
  if (schema.examples) return schema.examples[0]
  if ('const' in schema) return schema.const
  const known = EXAMPLES[`${parent}.${name}`] ?? EXAMPLES[name]
  if (schema.type === 'array') return [known ?? exampleOf(schema.items, name, parent)]
  if (schema.properties) {
    const within = name || parent
    const properties: [string, TSchema][] = Object.entries(schema.properties)
    return Object.fromEntries(properties.map(([key, each]) => [key, exampleOf(each, key, within)]))
  }
  if (known !== undefined) return known
  if (schema.enum) return schema.enum[0]
  return schema.anyOf ? exampleOf(schema.anyOf[0], name, parent) : NO_EXAMPLE
}
