import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package with a part that is compiled for each platform; loaded when it is first needed. */
export type NativeModule<T = unknown> = {
  readonly name: string
  /** The package; where it cannot be loaded, a `NativeModuleError`, the same each time. */
  load(): T
}

/** One sentence: which package, on which platform, and what to do. The reason is its cause. */
export class NativeModuleError extends Error {
  readonly says: string
  readonly mend: string

  constructor(says: string, mend: string, cause: unknown) {
    super(`${says}: ${mend}.`, { cause })
    this.says = says
    this.mend = mend
  }
}

/** `orElse` is what helps where installing it anew does not. */
export function nativeModule<T>(
  { name, orElse }: { name: string; orElse: string },
  requirePackage: (name: string) => T = require,
): NativeModule<T> {
  let failure: NativeModuleError | null = null

  return {
    name,
    load() {
      // To look for it again at every login would be work that anybody can ask for.
      if (failure) throw failure
      try {
        return requirePackage(name)
      } catch (cause) {
        const says = `The package ${name} cannot be loaded on ${platformName()}`
        const mend = `install the dependencies anew on this machine, with "npm ci", or ${orElse}`
        failure = new NativeModuleError(says, mend, cause)
        throw failure
      }
    },
  }
}

/** As packages name it, such as `linux-arm64 (musl)`. */
function platformName(): string {
  const { platform, arch, report } = process
  if (platform !== 'linux') return `${platform}-${arch}`
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } }
  return `${platform}-${arch} (${header.glibcVersionRuntime ? 'glibc' : 'musl'})`
}
