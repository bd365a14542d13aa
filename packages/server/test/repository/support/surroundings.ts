/** What stands around the examples in TypeScript: packages that are not installed here, and names. */
export const SURROUNDINGS = `
declare module 'next/headers' {
  export function cookies(): Promise<{ toString(): string }>
}
declare module 'next/navigation' {
  export function redirect(path: string): never
}
declare module 'expo-secure-store' {
  export function getItemAsync(key: string): Promise<string | null>
  export function setItemAsync(key: string, value: string): Promise<void>
  export function deleteItemAsync(key: string): Promise<void>
}
declare module '@react-native-async-storage/async-storage' {
  const storage: {
    getItem(key: string): Promise<string | null>
    setItem(key: string, value: string): Promise<void>
    removeItem(key: string): Promise<void>
  }
  export default storage
}
declare const auth: import('latchkey-client').AuthClient
declare const createClient: typeof import('latchkey-client').createClient
declare const AuthError: typeof import('latchkey-client').AuthError
declare const url: string, username: string, email: string, code: string, body: string
declare const password: string, password1: string, password2: string
declare const redirect_uri: string, code_verifier: string
declare const id: number
declare function render(state: unknown): void
declare function show(value: unknown): void
declare function proceed(): void
declare function suggestLogin(): void
declare const i18n: { language: string }
declare const ky: { create(options: { fetch: typeof fetch }): unknown }
declare const socket: { send(text: string | undefined): void }
`

/** The module that the page of the client names, without showing it. */
export const CLIENT_OF_THE_APP = `
import { createClient } from 'latchkey-client'
export const auth = createClient({ mode: 'session' })
`
