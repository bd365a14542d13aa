import { withOpenService } from '../../../server/src/cli/open-service.ts'
import { SettingsError } from '../../../server/src/kernel/settings-error.ts'
import { resolveSettings } from '../../../server/src/settings/resolve.ts'
import type { UncheckedSettings } from '../../../server/src/settings/settings.ts'
import type { Converted } from '../settings/from-django.ts'
import { type Note, note } from '../settings/mapping.ts'

/**
 * Removes routes that would prevent the start, because two paths collide. Only the composed service
 * knows all paths.
 */
export async function withFittingRoutes(converted: Converted): Promise<Converted> {
  const mistakes = await mistakesOfRoutes(converted.settings)
  if (mistakes.length === 0) return converted
  const { ROUTES, ...others } = converted.settings
  const routes = Object.entries((ROUTES ?? {}) as Record<string, string | string[]>)
  const isNamed = (line: string, text: string) => line.includes(` ${text}`)
  const blamed = routes.filter(([key, paths]) =>
    mistakes.some((line) => [key, ...[paths].flat()].some((text) => isNamed(line, text))),
  )
  const keys = blamed.map(([key]) => key)
  const left = routes.filter(([key]) => keys.length > 0 && !keys.includes(key))
  const settings: UncheckedSettings =
    left.length === 0 ? others : { ...others, ROUTES: Object.fromEntries(left) }
  const notes: Note[] = mistakes.map((line) =>
    note('ROUTES', `some are left out: ${line.replace('ROUTES: ', '')}`),
  )
  const count = converted.count - (left.length === 0 ? 1 : 0)
  return withFittingRoutes({ settings, count, notes: [...converted.notes, ...notes] })
}

async function mistakesOfRoutes(given: UncheckedSettings): Promise<readonly string[]> {
  if (given.ROUTES === undefined) return []
  const settings = {
    ...resolveSettings(given),
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: 'silent' as const,
  }
  // Without a key, the service would create one.
  const SECRET_KEY = settings.SECRET_KEY ?? 'x'.repeat(32)
  try {
    await withOpenService({ ...settings, SECRET_KEY }, async () => {})
    return []
  } catch (error) {
    // The start reports other mistakes, such as a missing key file.
    if (!(error instanceof SettingsError)) return []
    return error.mistakes.filter((line) => line.startsWith('ROUTES: '))
  }
}
