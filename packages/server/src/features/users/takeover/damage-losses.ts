import type { Loss } from '../../../core/takeover.ts'
import type { DjangoUser } from '../../../storage/django/django-user.ts'

const WHY = 'the text is not valid UTF-8; what cannot be read of it was replaced'

/** Texts of a user that a database has kept without being able to read them. */
export const damageLosses = (source: DjangoUser): Loss[] =>
  [...new Set(source.damaged)].map((what) => ({ source, what, why: WHY }))
