import { MULTIPART, multipart } from './multipart.ts'

type Body = Record<string, unknown>

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const texts = (body: Body) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, textOf(value)]))

/** The three ways to write a body. */
export const encodings = {
  JSON: (body: Body) => ({ type: 'application/json', text: JSON.stringify(body) }),
  form: (body: Body) => ({
    type: 'application/x-www-form-urlencoded',
    text: new URLSearchParams(texts(body)).toString(),
  }),
  multipart: (body: Body) => ({ type: MULTIPART, text: multipart(texts(body)) }),
}
export type Encoding = keyof typeof encodings
export const everyEncoding = Object.keys(encodings) as Encoding[]

/** All of these paths reach the endpoint. */
export const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'without its slash': (path) => path.replace(/\/$/, ''),
  'with a query': (path) => `${path}?mfa=off&next=/`,
  'with an escaped letter': (path) => `%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
}

/** These paths reach nothing, or at most the endpoint. */
export const misspellings: Record<string, (path: string) => string> = {
  'in capitals': (path) => path.toUpperCase(),
  'with two slashes behind': (path) => `${path}/`,
  'with two slashes before': (path) => `/auth//${path}`,
  'with a dot': (path) => `/auth/./${path}.`,
  'with an escaped slash': (path) => path.replace(/\/$/, '%2F'),
  'with a parameter': (path) => `${path.replace(/\/$/, '')};x=1/`,
  'with a detour': (path) => `/auth/zz/${path}`,
  'with a suffix': (path) => `${path.replace(/\/$/, '')}.json`,
}
