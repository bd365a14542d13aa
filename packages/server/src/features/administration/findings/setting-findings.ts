import { isShared } from '../../../crypto/jwt/algorithms.ts'
import { loadJwtKeys } from '../../../crypto/jwt/load-keys.ts'
import { nativeModulesOf } from '../../../crypto/password-hash/password-hasher.ts'
import { type NativeModule, NativeModuleError } from '../../../kernel/native-module.ts'
import { SettingsError } from '../../../kernel/settings-error.ts'
import { filesWithBuriedLinks } from '../../../mailer/words/from-folder.ts'
import { REFUSED_KEYS } from '../../../settings/authentication-classes.ts'
import { deployChecks } from '../../../settings/deploy.ts'
import { type Finding, findingsOf, good, type Loaded } from '../../../settings/finding.ts'
import { isServerDatabase } from '../../../settings/kinds/connection-urls.ts'
import type { Settings } from '../../../settings/settings.ts'
import { INVITES_IN_VAIN } from '../../../settings/signup-rules.ts'
import { inspectFolder, isShipped, knownLanguages } from '../../../settings/words-files.ts'
import { sqliteDriver } from '../../../storage/sqlite-file.ts'
import { fileFindings } from './file-findings.ts'

/** What the settings, and the files and packages that they need, show without the database. */
export function settingFindings(loaded: Loaded, { deploy }: { deploy: boolean }): Finding[] {
  const { settings } = loaded
  return [
    ...packageFindings(settings),
    ...fileFindings(settings),
    ...wordsFindings(settings),
    ...letterFindings(settings),
    ...keyFindings(settings),
    ...findingsOf([REFUSED_KEYS, INVITES_IN_VAIN], loaded),
    ...(deploy ? findingsOf(deployChecks, loaded) : []),
    ...(deploy ? adviceOnStopping(settings) : []),
  ]
}

/**
 * The native packages that these settings may need. The service starts even if the package of an
 * older hash is missing. Without this check, a user with such a hash would be the first to notice.
 */
function packageFindings({ PASSWORD_HASHERS, DATABASE_URL }: Settings): Finding[] {
  const drivers = isServerDatabase(DATABASE_URL) ? [] : [sqliteDriver]
  return [...nativeModulesOf(PASSWORD_HASHERS), ...drivers].map(findingOn)
}

function findingOn({ name, load }: NativeModule): Finding {
  const about = `package ${name}`
  try {
    load()
    return good(about, 'can be loaded')
  } catch (error) {
    if (!(error instanceof NativeModuleError)) throw error
    return { about, says: error.says, mend: error.mend }
  }
}

/** Enough to find the others. */
const NAMED = 10

/** Words that a language of the deployment lacks. A language of the package has all of them. */
export function wordsFindings({ WORDS_DIR }: Settings): Finding[] {
  if (WORDS_DIR === null) return []
  const own = inspectFolder(WORDS_DIR).filter(({ code }) => !isShipped(code))
  return own.map(({ code, missing }) => {
    const about = `words in ${code}`
    if (missing.length === 0) return good(about, 'are complete')
    const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
    return {
      about,
      says: `are missing, so English is used: ${missing.slice(0, NAMED).join(', ')}${more}`,
      mend: `add them to ${code}.json in WORDS_DIR`,
    }
  })
}

/** Letters of the deployment whose link has no line of its own, so a mail program may break it. */
function letterFindings(settings: Settings): Finding[] {
  const { EMAIL_TEMPLATES_DIR: folder, LANGUAGE_CODE } = settings
  if (folder === null) return []
  try {
    return filesWithBuriedLinks(folder, LANGUAGE_CODE, knownLanguages(settings)).map((file) => ({
      about: 'EMAIL_TEMPLATES_DIR',
      says: `${file} has its link among other words`,
      mend: 'put the link alone into a paragraph, with a blank line before and after it',
    }))
  } catch (error) {
    // The start refuses such a folder, so it is a finding already.
    if (error instanceof SettingsError) return []
    throw error
  }
}

/** Reports a key that cannot be used, since it would stop the start. */
function keyFindings({ SIMPLE_JWT }: Settings): Finding[] {
  if (isShared(SIMPLE_JWT.ALGORITHM)) return []
  try {
    const { verifying } = loadJwtKeys(SIMPLE_JWT, '')
    return [good('keys', `can be used (${verifying.size} to check tokens)`)]
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const mend = 'make a key with "latchkey keys generate"'
    return error.mistakes.map((says) => ({ about: 'keys', says, mend }))
  }
}

/** Only advice: a proxy on the same machine needs no delay. */
const adviceOnStopping = ({ REST_FRAMEWORK, SHUTDOWN_DELAY }: Settings): readonly Finding[] =>
  REST_FRAMEWORK.NUM_PROXIES > 0 && SHUTDOWN_DELAY === 0
    ? [
        good(
          'SHUTDOWN_DELAY',
          '0s; set it to 5 if a load balancer sends requests to several instances, so that it learns in time which one stops',
        ),
      ]
    : []
