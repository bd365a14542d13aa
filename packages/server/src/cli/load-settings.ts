import { absoluteUrl } from '../settings/kinds/connection-urls.ts'
import { loadSettings } from '../settings/load.ts'
import type { LoadedSettings } from '../settings/resolve.ts'
import type { CommandCall, Options } from './command.ts'

/** Options of all commands that need settings. */
export const settingsOptions = {
  config: { type: 'optional', placeholder: '<file>', doc: 'Read settings from this file' },
  set: {
    type: 'repeated',
    placeholder: '<NAME=value>',
    doc: 'Override a setting, such as REST_AUTH.USE_JWT=true; can be repeated',
  },
} as const satisfies Options

export type SettingsCall = CommandCall<typeof settingsOptions>

export async function loadFor({ values, io }: SettingsCall): Promise<LoadedSettings> {
  const { env, cwd } = io
  const { settings, origins } = await loadSettings({
    file: values.config,
    env,
    sets: values.set,
    cwd,
  })
  const DATABASE_URL = absoluteUrl(settings.DATABASE_URL, cwd)
  return { settings: { ...settings, DATABASE_URL }, origins }
}
