/**
 * What a query selects to find a `User` in a join. Every request with a credential does, and each
 * further column costs about 0.3 µs on SQLite.
 */
export const OF_USER = [
  'users.id',
  'users.uuid',
  'users.username',
  'users.email',
  'users.email_verified',
  'users.email_epoch',
  'users.first_name',
  'users.last_name',
  'users.password',
  'users.is_active',
  'users.is_staff',
  'users.is_superuser',
  'users.group_names',
  'users.language',
  'users.extra',
  'users.epoch',
  'users.joined_at',
  'users.last_login_at',
  'users.revoked_at',
  'users.mfa_asked_at',
] as const
