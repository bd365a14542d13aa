import { expect } from 'vitest'

/** Answers that many tests expect. */
export const KEY = { key: expect.stringMatching(/^[0-9a-f]{40}$/) }
export const UNABLE = { non_field_errors: ['Unable to log in with provided credentials.'] }
export const NOT_PROVIDED = { detail: 'Authentication credentials were not provided.' }
export const INVALID_TOKEN = { detail: 'Invalid token.' }
export const LOGGED_OUT = { detail: 'Successfully logged out.' }
export const NOT_FOUND = { detail: 'Not found.' }
export const UNAVAILABLE = { detail: 'Service temporarily unavailable, try again later.' }
