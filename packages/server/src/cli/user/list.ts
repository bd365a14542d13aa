import type { AdminUser } from '../../kernel/admin-answers.ts'
import { listCommand } from '../list-command.ts'

export const userList = listCommand('users.find', {
  filters: {
    q: {
      type: 'optional',
      placeholder: '<text>',
      doc: 'Only users with this text in the username, address or name',
    },
    state: {
      type: 'optional',
      placeholder: 'active|inactive|unverified|staff|superuser|mfa|no-mfa',
      doc: 'Only users in this state',
    },
    since: {
      type: 'optional',
      placeholder: '<time>',
      doc: 'Only users who joined since this time or date (UTC)',
    },
    sort: {
      type: 'optional',
      placeholder: 'date_joined|last_login|username',
      doc: 'The order, date_joined by default; a minus reverses it: --sort=-date_joined',
    },
  },
  meaning: async (filters) => ({ sort: 'date_joined', ...filters }),
  item: (row, { flat }) => flat(row as AdminUser),
  columns: {
    PK: ({ pk }) => pk,
    USERNAME: ({ username }) => username,
    EMAIL: ({ email }) => email,
    VERIFIED: ({ email_verified }) => email_verified,
    ACTIVE: ({ is_active }) => is_active,
    JOINED: ({ date_joined }) => date_joined,
    'LAST LOGIN': ({ last_login }) => last_login,
  },
})
