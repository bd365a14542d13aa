/** What stands around the examples in TypeScript: packages that are not installed here, and names. */
export const SURROUNDINGS = `
import type { AuthClient } from 'latchkey-client'

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
declare global {
  const auth: AuthClient
  const createClient: typeof import('latchkey-client').createClient
  const AuthError: typeof import('latchkey-client').AuthError
  const url: string, username: string, email: string, code: string, body: string
  const password: string, password1: string, password2: string
  const redirect_uri: string, code_verifier: string
  const id: number
  function render(state: unknown): void
  function show(value: unknown): void
  function proceed(): void
  const ky: { create(options: { fetch: typeof fetch }): unknown }
  const socket: { send(text: string | undefined): void }
}
`
