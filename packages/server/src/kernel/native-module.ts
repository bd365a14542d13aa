import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export type NativeModule<T = unknown> = ReturnType<typeof nativeModule<T>>

/**
 * One sentence that names the package, the platform and the remedy. The original error is its
 * `cause`.
 */
export class NativeModuleError extends Error {
  readonly says: string
  readonly mend: string

  constructor(says: string, mend: string, cause: unknown) {
    super(`${says}: ${mend}.`, { cause })
    this.says = says
    this.mend = mend
  }
}

/**
 * A package with a binary for each platform. It is loaded on first use. `orElse` says what to do if
 * reinstalling it does not help.
 */
export function nativeModule<T>(
  { name, orElse }: { name: string; orElse: string },
  requirePackage: (name: string) => T = require,
) {
  let loaded: T | undefined
  let failure: NativeModuleError | null = null

  return {
    name,
    /** Returns the package. If it cannot be loaded, every call throws the same `NativeModuleError`. */
    load(): T {
      // Cached, as is a failure. Otherwise every login would resolve the package again, and a broken
      // one would be searched on the disk.
      if (loaded !== undefined) return loaded
      if (failure) throw failure
      try {
        loaded = requirePackage(name)
        return loaded
      } catch (cause) {
        const says = `The package ${name} cannot be loaded on ${platformName()}`
        const mend = `install the dependencies again on this machine with "npm ci", or ${orElse}`
        failure = new NativeModuleError(says, mend, cause)
        throw failure
      }
    },
  }
}

/** The platform as npm packages name it, for example `linux-arm64 (musl)`. */
function platformName(): string {
  const { platform, arch, report } = process
  if (platform !== 'linux') return `${platform}-${arch}`
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } }
  return `${platform}-${arch} (${header.glibcVersionRuntime ? 'glibc' : 'musl'})`
}
