import type { Lies } from './authenticator.ts'

/** Lies of an authenticator, each with its name. */
export type NamedLies = Record<string, Lies>

const text = (change: (text: string) => string) => (bytes: Buffer) =>
  Buffer.from(change(bytes.toString()))

const withMember = (json: string) => text((data) => data.replace(/}$/, `,"x":${json}}`))

const foreignOrigins = [
  'https://localhost:8000',
  'http://localhost',
  'http://localhost:8001',
  'http://sub.localhost:8000',
  'http://evil-localhost:8000',
  'http://localhost.:8000',
  'http://localhost:8000/',
  'HTTP://LOCALHOST:8000',
  'http://localhost:8000.evil.example',
  'null',
  '',
  null,
  ['http://localhost:8000'],
  'android:apk-key-hash:AAAA',
]

/** Client data that none of our ceremonies has. */
export const clientDataLies: NamedLies = {
  'no type': { clientData: { type: undefined } },
  'a type of elsewhere': { clientData: { type: 'payment.get' } },
  'another challenge': { clientData: { challenge: 'AAAA' } },
  'no challenge': { clientData: { challenge: undefined } },
  'a list for a challenge': { clientData: { challenge: [] } },
  'an object for a challenge': { clientData: { challenge: {} } },
  ...Object.fromEntries(
    foreignOrigins.map((origin) => [`the origin ${origin}`, { clientData: { origin } }]),
  ),
  'a ceremony in a foreign frame': { clientData: { crossOrigin: true } },
  'a page around the page': { clientData: { topOrigin: 'http://localhost:8000' } },
  'a page around the page, framed': { clientData: { crossOrigin: true, topOrigin: 'https://x.y' } },
  'a flag that is none': { clientData: { crossOrigin: 'false' } },
  'a byte order mark': {
    clientDataBytes: (bytes) => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]),
  },
  'a key twice': { clientDataBytes: text((data) => data.replace('{', '{"origin":"x",')) },
  'a key twice, escaped': {
    clientDataBytes: text((data) => data.replace('{', '{"\\u006frigin":"x",')),
  },
  '10 KB': { clientData: { more: 'x'.repeat(10_000) } },
  '1000 lists in each other': {
    clientDataBytes: withMember(`${'['.repeat(1000)}${']'.repeat(1000)}`),
  },
  'invalid UTF-8': {
    clientDataBytes: (bytes) =>
      Buffer.concat([bytes.subarray(0, -1), Buffer.from('2c2278223a22ff227d', 'hex')]),
  },
  'JSON that ends too early': { clientDataBytes: (bytes) => bytes.subarray(0, -1) },
  'JSON and more': { clientDataBytes: (bytes) => Buffer.concat([bytes, Buffer.from('{}')]) },
  'a list': { clientDataBytes: () => Buffer.from('[]') },
  null: { clientDataBytes: () => Buffer.from('null') },
  nothing: { clientDataBytes: () => Buffer.alloc(0) },
  'no client data': { response: { clientDataJSON: undefined } },
  'a number for client data': { response: { clientDataJSON: 7 } },
  'client data that is not encoded': { response: { clientDataJSON: '{}' } },
}

/** Credentials that are composed wrongly. */
export const credentialLies: NamedLies = {
  'an id that is not the raw id': { credential: { id: 'AAAA' } },
  'a raw id that is not the id': { credential: { rawId: 'AAAA' } },
  'an id of another credential': { credential: { id: 'AAAA', rawId: 'AAAA' } },
  'an empty id': { credential: { id: '', rawId: '' } },
  'a null byte in the id': { credential: { id: '\0', rawId: '\0' } },
  'an id with padding': { credential: { id: 'AA==', rawId: 'AA==' } },
  'an id of 60 KB': { credential: { id: 'A'.repeat(30_000), rawId: 'A'.repeat(30_000) } },
  'half a character for an id': { credential: { id: '\ud800', rawId: '\ud800' } },
  'another type': { credential: { type: 'password' } },
  'an empty response': { credential: { response: {} } },
}
