import { expect } from 'vitest'
import type { Reply } from './client.ts'

declare module 'vitest' {
  interface Matchers<T> {
    /** The status, and exactly this body. */
    toMatchReply(status: number, body?: unknown): T
    /** 429, with the remaining time in the text and in `Retry-After`. */
    toBeThrottled(seconds: number): T
  }
}

expect.extend({
  toMatchReply(reply: Reply, status: number, body?: unknown) {
    const got = { status: reply.status, body: reply.body }
    const wanted = { status, body }
    return {
      pass: this.equals(got, wanted),
      // In one line, so that the end of a run can quote it.
      message: () =>
        `expected ${this.isNot ? 'another answer' : 'this answer'}, got ${JSON.stringify(got)}`,
      actual: got,
      expected: wanted,
    }
  },

  toBeThrottled(reply: Reply, seconds: number) {
    const unit = seconds === 1 ? 'second' : 'seconds'
    const detail = `Request was throttled. Expected available in ${seconds} ${unit}.`
    const got = {
      status: reply.status,
      retryAfter: reply.headers['retry-after'],
      body: reply.body,
    }
    const wanted = { status: 429, retryAfter: String(seconds), body: { detail } }
    return {
      pass: this.equals(got, wanted),
      message: () => `expected the answer ${this.isNot ? 'not ' : ''}to be throttled`,
      actual: got,
      expected: wanted,
    }
  },
})
