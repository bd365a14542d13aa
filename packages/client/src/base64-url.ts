/** The bytes of base64url text, each as a character. */
export const decode = (text: string): string => atob(text.replace(/-/g, '+').replace(/_/g, '/'))
