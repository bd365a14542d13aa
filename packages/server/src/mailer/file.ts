import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { isoTime } from '../kernel/clock.ts'
import { SENT } from '../kernel/send-result.ts'
import { composeMessage } from './message.ts'
import type { Mail, MailTransport } from './transport.ts'

/** Writes one `.eml` file per mail. The file appears complete, and a repeated mail replaces it. */
export function fileTransport(url: string, from: string): MailTransport {
  const folder = folderOf(url)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  return {
    async send(mail) {
      const { message } = await composer.sendMail(composeMessage(mail, from))
      // The links in the mails are secrets, so only the owner may read the files.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(folder, fileName(mail))
      await writeFile(`${file}.part`, message, { mode: 0o600 })
      await rename(`${file}.part`, file)
      return SENT
    },
  }
}

/** `file:mails` is relative to the working directory, `file:///var/mails` is not. */
function folderOf(url: string): string {
  return url.startsWith('file:///') ? fileURLToPath(url) : resolve(url.slice('file:'.length))
}

/** File names sort by time. */
const fileName = ({ id, postedAt }: Mail): string =>
  `${isoTime(postedAt).replace(/[:.]/g, '-')}-${id}.eml`
