import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { english } from '../../../src/kernel/words/english.ts'
import { lettersFrom } from '../../../src/mailer/words/from-folder.ts'
import { requestReset } from '../../support/accounts.ts'
import { INVITED, invite } from '../../support/invitations.ts'
import { startAuth } from '../../support/start-auth.ts'

const ADA = 'ada@example.com'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-mails-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('with file: each mail is a file, for its owner only', async () => {
  const folder = join(await newFolder(), 'mails')
  const started = await startAuth({ EMAIL_URL: `file:${folder}` })
  await started.createUser({ username: 'ada', email: ADA })
  const { link } = await requestReset(started, ADA)
  await started.auth.services.delivery.deliverDue()
  const files = await readdir(folder)
  expect(files).toEqual([expect.stringMatching(/^2030-01-01T12-00-00-000Z-[0-9a-f]{32}\.eml$/)])
  const file = join(folder, files[0] ?? '')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const text = await readFile(file, 'utf8')
  expect(text).toMatch(/^To: ada@example\.com\r$/m)
  expect(text).toMatch(/^Date: Tue, 01 Jan 2030 12:00:00 \+0000\r$/m)
  expect(text.split('\r\n')).toContain(link)
})

test('a folder of the deployment replaces words', async () => {
  const folder = await newFolder()
  const words = join(folder, 'words')
  await mkdir(words)
  await writeFile(join(words, 'reset-password.txt'), 'Subject: Neues Kennwort\n\nHier:\n\n{link}\n')
  const EMAIL_URL = `file:${join(folder, 'mails')}`
  const started = await startAuth({ EMAIL_URL, EMAIL_TEMPLATES_DIR: words })
  await started.createUser({ username: 'ada', email: ADA })
  const { link } = await requestReset(started, ADA)
  await started.auth.services.delivery.deliverDue()
  const [file = ''] = await readdir(join(folder, 'mails'))
  const text = await readFile(join(folder, 'mails', file), 'utf8')
  // Nobody has said which language it is. English it is not.
  expect(text).not.toContain('lang=')
  expect(text).toContain('Subject: Neues Kennwort\r\n')
  expect(text).toContain(`Hier:\r\n\r\n${link}\r\n`)
})

test('letters of WORDS_DIR may build their own link, also in a language from right to left', async () => {
  const folder = await newFolder()
  const [words, mails] = [join(folder, 'words'), join(folder, 'mails')]
  await mkdir(words)
  const bodies = {
    'reset-password': ['{username}, {site}', 'https://app.example/{uid}/{token}?a&b'],
    invitation: ['app://join/{key}', 'Until {date}, at {site}.'],
  }
  const letters = Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [name, { subject: 'At {site}', body }]),
  )
  await writeFile(join(words, 'fa.json'), JSON.stringify({ letters }))
  const started = await startAuth({
    EMAIL_URL: `file:${mails}`,
    WORDS_DIR: words,
    LANGUAGES: ['fa'],
    LANGUAGE_CODE: 'fa',
    ...INVITED,
  })
  await started.createUser({ username: 'ada', email: ADA })
  const key = await invite(started, 'bob@example.com')
  const { uid, token } = await requestReset(started, ADA)
  await started.auth.services.delivery.deliverDue()

  const read = (await readdir(mails)).map((file) => readFile(join(mails, file), 'utf8'))
  const text = (await Promise.all(read)).join('\n').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const link = `https://app.example/${uid}/${token}`
  // The address is unproved, so the letter does not say the name.
  expect(text).toContain(`\r\n\r\n${link}?a&b\r\n\r\n`)
  expect(text).toContain(`<p><a href="${link}?a&#38;b"><bdi>${link}?a&#38;b</bdi></a></p>`)
  expect(text).toContain(`\r\n\r\napp://join/${key}\r\n`)
})

test('a folder inside for a language replaces only its own letters, and is in that language', async () => {
  const folder = await newFolder()
  const words = join(folder, 'words')
  await mkdir(join(words, 'en'), { recursive: true })
  await mkdir(join(words, 'fa'))
  await writeFile(join(words, 'reset-password.txt'), 'Subject: Ours\n\n{link}\n')
  await writeFile(join(words, 'en', 'verify-email.txt'), 'Subject: Please\n\n{link}\n')
  await writeFile(join(words, 'fa', 'reset-password.txt'), 'Subject: Other\n\n{link}\n')
  const mails = join(folder, 'mails')
  const started = await startAuth({
    EMAIL_URL: `file:${mails}`,
    EMAIL_TEMPLATES_DIR: words,
    LANGUAGES: ['en', 'fa'],
  })
  await started.createUser({ username: 'ada', email: ADA })
  await started.createUser({ username: 'bob', email: 'bob@example.com' })
  await started.db
    .updateTable('users')
    .set({ language: 'fa' })
    .where('username', '=', 'bob')
    .execute()
  for (const address of [ADA, 'bob@example.com']) await requestReset(started, address)
  await started.auth.services.delivery.deliverDue()
  const texts = await Promise.all(
    (await readdir(mails)).map((file) => readFile(join(mails, file), 'utf8')),
  )
  const [toAda = '', toBob = ''] = texts.toSorted((one) => (one.includes(ADA) ? -1 : 1))
  expect(toAda).toContain('Subject: Ours\r\n')
  expect(toBob).toContain('Subject: Other\r\n')
  expect(toBob).toContain('dir="rtl"')
})

test('a folder with a file that is no letter stops the start', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'reset-pasword.txt'), 'Subject: x\n\ny\n')
  await expect(startAuth({ EMAIL_TEMPLATES_DIR: folder })).rejects.toThrow('reset-pasword.txt')
})

test('a file that cannot be read is named, and not its folder', async () => {
  const folder = await newFolder()
  const file = join(folder, 'en', 'reset-password.txt')
  await mkdir(file, { recursive: true })
  expect(() => lettersFrom(folder, 'en')).toThrow(
    `EMAIL_TEMPLATES_DIR: the file ${file} cannot be read (EISDIR)`,
  )
})

test('a folder for a language may be spelled in lower case', async () => {
  const folder = await newFolder()
  const words = join(folder, 'words')
  await mkdir(join(words, 'pt-br'), { recursive: true })
  await writeFile(join(words, 'pt-br', 'reset-password.txt'), 'Subject: Senha\n\n{link}\n')
  const mails = join(folder, 'mails')
  const settings = { LANGUAGES: ['pt-br'], LANGUAGE_CODE: 'pt-br' }
  const started = await startAuth({
    ...settings,
    EMAIL_URL: `file:${mails}`,
    EMAIL_TEMPLATES_DIR: words,
  })
  await started.createUser({ username: 'ada', email: ADA })
  await requestReset(started, ADA)
  await started.auth.services.delivery.deliverDue()
  const [file = ''] = await readdir(mails)
  expect(await readFile(join(mails, file), 'utf8')).toContain('Subject: Senha\r\n')
})

test.each(['deutsch', 'pt', 'de_AT'])(
  'a folder %s with letters for no known language stops the start',
  async (name) => {
    const folder = await newFolder()
    await mkdir(join(folder, name))
    const settings = { EMAIL_TEMPLATES_DIR: folder, LANGUAGES: ['en', 'pt-BR'] }
    await writeFile(join(folder, name, 'logo.svg'), '')
    await mkdir(join(folder, 'de'))
    await writeFile(join(folder, 'de', 'login-code.txt'), 'Subject: x\n\n{code}\n')
    await startAuth(settings)
    await writeFile(join(folder, name, 'login-code.txt'), 'Subject: x\n\n{code}\n')
    await expect(startAuth(settings)).rejects.toThrow(
      `the folder ${name} is named after no language that the service knows: en, `,
    )
  },
)

test('hidden folders are ignored, such as those of a ConfigMap of Kubernetes', async () => {
  const folder = await newFolder()
  await mkdir(join(folder, '..2030_01_01'))
  await writeFile(join(folder, '..2030_01_01', 'login-code.txt'), 'Subject: Code\n\n{code}\n')
  await symlink('..2030_01_01', join(folder, '..data'))
  await symlink(join('..data', 'login-code.txt'), join(folder, 'login-code.txt'))
  const letters = lettersFrom(folder, 'en')({ code: 'en', words: english } as never)
  expect(letters['login-code'].subject).toBe('Code')
})

test('a letter may begin with a byte order mark, as some editors write it', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'login-code.txt'), '\uFEFFSubject: Code\r\n\r\n{code}\r\n')
  const letters = lettersFrom(folder, 'en')({ code: 'en', words: english } as never)
  expect(letters['login-code']).toMatchObject({ subject: 'Code', body: ['{code}'] })
})

test('a folder with the words of a language may be a link', async () => {
  const [folder, elsewhere] = [await newFolder(), await newFolder()]
  await writeFile(join(elsewhere, 'login-code.txt'), 'Subject: Dein Code\n\n{code}\n')
  await symlink(elsewhere, join(folder, 'de'))
  await symlink('nowhere', join(folder, 'fr'))
  await symlink('ja', join(folder, 'ja'))
  const letters = lettersFrom(folder, 'en', ['en', 'de'])({ code: 'de', words: english } as never)
  expect(letters['login-code'].subject).toBe('Dein Code')
})
