import { expect, test } from 'vitest'
import { NativeModuleError, nativeModule } from '../../src/kernel/native-module.ts'

const names = { name: 'no-such-package', orElse: 'do without' }

/** The error with which it cannot be loaded. */
function failureOf({ load }: { load(): unknown }): NativeModuleError {
  try {
    load()
  } catch (error) {
    if (error instanceof NativeModuleError) return error
  }
  throw new Error('It was loaded, or failed in another way.')
}

test('the message about a missing package names platform, package and remedy', () => {
  const { message, cause } = failureOf(nativeModule(names))
  const platform = `${process.platform}-${process.arch}`
  expect(message).toMatch(/^[^.\n]+\.$/)
  expect(message).toContain(`The package no-such-package cannot be loaded on ${platform}`)
  expect(message).toContain('"npm ci"')
  expect(message).toContain('or do without')
  expect(cause).toMatchObject({ code: 'MODULE_NOT_FOUND' })
})

test('a package that failed is not tried again', () => {
  let tries = 0
  const broken = nativeModule(names, () => {
    tries += 1
    throw new Error('built for another machine')
  })
  expect(failureOf(broken)).toBe(failureOf(broken))
  expect(tries).toBe(1)
})

test('nothing is loaded before it is needed', () => {
  const loaded: string[] = []
  const { load } = nativeModule(names, (name) => loaded.push(name))
  expect(loaded).toEqual([])
  load()
  expect(loaded).toEqual(['no-such-package'])
})
