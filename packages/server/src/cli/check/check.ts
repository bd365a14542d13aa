import { configureProviders } from '../../features/social/configuration/configure-providers.ts'
import { REFUSED_KEYS, refusesItsKeys } from '../../settings/authentication-classes.ts'
import { type DeployFinding, deployFindings } from '../../settings/deploy.ts'
import type { LoadedSettings } from '../../settings/resolve.ts'
import type { Settings } from '../../settings/settings.ts'
import { command } from '../command.ts'
import { loadFor, settingsOptions } from '../load-settings.ts'
import { explainingFaults } from '../open-service.ts'
import { sentence } from '../output.ts'
import { refusal } from '../refusal.ts'
import { checkFiles } from './check-files.ts'
import { checkStoredData } from './check-stored-data.ts'
import { checkDatabase, checkKeys, checkNativeModules, type Finding } from './findings.ts'

export const check = command({
  options: {
    deploy: {
      type: 'flag',
      doc: 'Also report settings and operators that are unsafe in production, and former keys',
    },
    ...settingsOptions,
  },
  async run(call) {
    const loaded = await loadFor(call)
    const { settings } = loaded
    if (settings.MODULES.includes('social')) configureProviders(settings.SOCIALACCOUNT.PROVIDERS)
    const findings = [
      settingsFinding(loaded),
      ...checkNativeModules(settings),
      ...(await explainingFaults(settings, () => checkDatabase(settings))),
      ...checkFiles(settings),
      ...checkKeys(settings),
      ...(refusesItsKeys(settings) ? [unsafe({ ...REFUSED_KEYS, also: [] })] : []),
      ...(call.values.deploy ? deployFindings(loaded).map(unsafe) : []),
      ...(call.values.deploy ? adviceOnStopping(settings) : []),
      ...(await checkStoredData(settings, { deploy: call.values.deploy })),
    ]
    const toMend = findings.filter(({ mend }) => mend !== null).length
    call.say(findings.map(lineOf).join('\n'), { ok: toMend === 0, findings })
    if (toMend > 0) throw refusal(toMend === 1 ? '1 finding.' : `${toMend} findings.`)
  },
})

/** Wrong settings were already refused when they were loaded. */
function settingsFinding({ origins }: LoadedSettings): Finding {
  const given = Object.values(origins).filter((origin) => origin !== 'default').length
  return {
    about: 'settings',
    says: `valid (${given} given, all others have their default)`,
    mend: null,
  }
}

/** Only advice: a proxy on the same machine needs no delay. */
const adviceOnStopping = ({ REST_FRAMEWORK, SHUTDOWN_DELAY }: Settings): readonly Finding[] =>
  REST_FRAMEWORK.NUM_PROXIES > 0 && SHUTDOWN_DELAY === 0
    ? [
        {
          about: 'SHUTDOWN_DELAY',
          says: '0s; set it to 5 if a load balancer sends requests to several instances, so that it learns in time which one stops',
          mend: null,
        },
      ]
    : []

const unsafe = ({ setting, finding, mend, also }: DeployFinding): Finding => ({
  about: setting,
  says: finding,
  mend,
  ...(also.length > 0 && { also }),
})

function lineOf({ about, says, mend, also }: Finding): string {
  if (mend === null) return `ok    ${about}: ${says}`
  const more = also ? ` This also fixes ${also.join(', ')}.` : ''
  return `fix   ${about}: ${says}. ${sentence(mend)}.${more}`
}
