/** The bytes of base64url text, each as a character. */
export const decode = (text: string): string => atob(text.replace(/-/g, '+').replace(/_/g, '/'))

export const encode = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')
