import { executionAsyncResource } from 'node:async_hooks'

/*
 * Keeps one object of `process.nextTick`, and with it their hidden class. Node makes seven of them per
 * request. V8 drops the class if a full collection finds none of them, as the first one after the start
 * does, and from then on never optimises how they are made. That costs a twentieth of `GET user/`.
 */
process.nextTick(() => {
  Object.assign(globalThis, { [Symbol('tick')]: executionAsyncResource() })
})
