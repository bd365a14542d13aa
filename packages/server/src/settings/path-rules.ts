import { ADMIN_PATH } from './admin-view.ts'
import { adminAddress, isSameAddress } from './kinds/admin-listen.ts'
import type { Rule, Settings } from './settings.ts'

/** What `latchkey test` answers itself. `serve` has nothing there. */
export const TEST_PATH = '/__test/'

const pathsOf = ({ AUTH_PREFIX, PAGES_PREFIX, ROUTES }: Settings): string[] => [
  ...[AUTH_PREFIX, PAGES_PREFIX],
  ...Object.values(ROUTES)
    .flat()
    .map((path) => (path.startsWith('/') ? path : `${AUTH_PREFIX}${path}`)),
]

/** Where endpoints, pages and the admin API are: each needs paths of its own. */
export const pathRules: readonly Rule[] = [
  {
    about: ['PAGES_PREFIX', 'AUTH_PREFIX', 'MODULES'],
    broken: ({ PAGES_PREFIX, AUTH_PREFIX, MODULES }) =>
      MODULES.includes('pages') && PAGES_PREFIX === AUTH_PREFIX,
    says: 'is the same path as AUTH_PREFIX; pages and endpoints need different paths',
  },
  {
    about: ['AUTH_PREFIX', 'PAGES_PREFIX', 'ROUTES'],
    broken: (settings) => pathsOf(settings).some((path) => path.startsWith(TEST_PATH)),
    says: `neither AUTH_PREFIX nor PAGES_PREFIX nor a path of ROUTES can be below ${TEST_PATH}, where "latchkey test" is controlled`,
  },
  {
    about: ['ADMIN_LISTEN', 'HOST', 'PORT', 'MODULES'],
    broken: ({ ADMIN_LISTEN, HOST: host, PORT: port, MODULES }) => {
      const address = adminAddress(ADMIN_LISTEN)
      const isOn = MODULES.includes('admin') && address !== null
      return isOn && isSameAddress(address, { host, port })
    },
    says: (_, { HOST, PORT }) =>
      `is the public address, ${HOST}:${PORT}; choose another port, or public if everybody may reach the admin API`,
  },
  {
    about: ['ADMIN_LISTEN', 'AUTH_PREFIX', 'PAGES_PREFIX', 'ROUTES', 'MODULES'],
    broken: (settings) =>
      settings.MODULES.includes('admin') &&
      adminAddress(settings.ADMIN_LISTEN) === null &&
      pathsOf(settings).some((path) => path.startsWith(ADMIN_PATH)),
    says: `is public, so nothing else can be below ${ADMIN_PATH}; choose other paths for AUTH_PREFIX, PAGES_PREFIX and ROUTES`,
  },
]
