import type { Settings } from '../settings/settings.ts'
import type { Documented } from './endpoint.ts'
import { describeEndpoints } from './openapi.ts'

type Admin = {
  /** As the admin API sees them. */
  readonly settings: Settings
  readonly endpoints: readonly Documented[]
  /** Where the admin pages are, with slashes at both ends. */
  path(): string
}

export function describeAdmin({ settings, endpoints, path }: Admin) {
  const document = describeEndpoints(endpoints, settings, {
    base: '',
    AUTH_PREFIX: `${path()}api/`,
  })
  const { securitySchemes } = document.components
  const schemes = {
    adminKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An admin key, as `latchkey admin-key create` shows it once',
    },
    ...securitySchemes,
  }
  return {
    ...document,
    info: {
      ...document.info,
      title: 'Latchkey administration',
      description: 'What operators can do. The API has a listener of its own.',
    },
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
    components: { ...document.components, securitySchemes: schemes },
  }
}
