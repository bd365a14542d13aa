import { isShared } from '../../../server/src/crypto/jwt/algorithms.ts'
import type { Opened } from './with-source.ts'

/** All secret keys in the settings of Latchkey and of the project. */
export function keysOf({ service: { settings }, facts }: Opened): string[] {
  const { DJANGO_SECRET_KEY, DJANGO_SECRET_KEY_FALLBACKS } = settings
  const all = [DJANGO_SECRET_KEY, ...DJANGO_SECRET_KEY_FALLBACKS, ...facts.secretKeys]
  return [...new Set(all.filter((key) => key !== null))]
}

/** What the operator may have forgotten, and what the counts do not show. */
export const notesOn = (opened: Opened, secretKeys: readonly string[]): string[] => [
  ...sessionNotes(opened, secretKeys),
  ...linkNotes(opened),
  ...tokenNotes(opened),
  ...columnNotes(opened),
]

function sessionNotes({ facts }: Opened, secretKeys: readonly string[]): string[] {
  if (facts.hasSessionsElsewhere) {
    return [
      'The project does not store its sessions in the database (SESSION_ENGINE). They are not imported, and end with the switch.',
    ]
  }
  return secretKeys.length > 0
    ? []
    : ['Sessions are not imported. Set DJANGO_SECRET_KEY, or add it to --settings.']
}

const linkNotes = ({ service }: Opened): string[] =>
  service.settings.DJANGO_SECRET_KEY !== null
    ? []
    : ['Links in mails of the project do not work here. Set DJANGO_SECRET_KEY.']

function tokenNotes({ service: { settings }, facts, model }: Opened): string[] {
  const { SECRET_KEY, REST_AUTH, SIMPLE_JWT } = settings
  if (!model.has.has('token_blacklist_outstandingtoken')) return []
  if (!REST_AUTH.USE_JWT) {
    return ['JSON Web Tokens of the project are refused here. Set REST_AUTH.USE_JWT.']
  }
  const isSame = facts.signingKey === (SIMPLE_JWT.SIGNING_KEY ?? SECRET_KEY)
  return facts.signingKey === null || isSame || !isShared(SIMPLE_JWT.ALGORITHM)
    ? []
    : [
        'JSON Web Tokens of the project are refused here. Set SIMPLE_JWT.SIGNING_KEY to the key that the project signs them with.',
      ]
}

function columnNotes({ service, model }: Opened): string[] {
  const { USER_FIELDS: declared } = service.settings
  return model.ownColumns
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) => `The column ${name} is not imported. Declare it in USER_FIELDS.`)
}
