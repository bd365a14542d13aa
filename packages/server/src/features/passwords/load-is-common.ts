/** The list is long, and nothing needs it to start. */
export const loadIsCommon = async () => (await import('./common-passwords.ts')).isCommon
