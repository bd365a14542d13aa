import { type AddressInfo, createServer } from 'node:net'
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { composeMessage } from '../../../src/mailer/message.ts'
import { smtpTransport } from '../../../src/mailer/smtp.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import { SECRET_KEY } from '../../support/start-auth.ts'

const MAIL = {
  id: 'abc',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Hello\n',
  html: '<p>Hello</p>\n',
  postedAt: 0,
  letter: { template: 'verify-email', values: {} },
} as const

/** A server that gives one reply to one command, and agrees to everything before. */
async function startReplying(command: string, reply: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 mail.example\r\n')
    socket.on('data', (data) => {
      socket.write(String(data).startsWith(command) ? `${reply}\r\n` : '250 fine\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['MAIL FROM', '530 5.7.0 Authentication required', 'unreachable'],
  ['MAIL FROM', '553 5.7.1 Sender address rejected', 'unreachable'],
  ['MAIL FROM', '452 4.3.1 Insufficient system storage', 'unreachable'],
  ['RCPT TO', '550 5.1.1 No such user', 'refused'],
  ['RCPT TO', '450 4.2.1 Try later', 'deferred'],
])('a reply to %s: %s', async (command, reply, status) => {
  const transport = smtpTransport(await startReplying(command, reply), 'us@example.com')
  onTestFinished(() => transport.close?.())
  expect(await transport.send(MAIL)).toMatchObject({ status })
})

test('all headers are ASCII if the domain of the sender is not', async () => {
  const composer = createTransport({ streamTransport: true, buffer: true })
  const { message } = await composer.sendMail(composeMessage(MAIL, 'Us <us@münchen.example>'))
  expect(String(message)).toContain('Message-ID: <abc@xn--mnchen-3ya.example>')
  expect(String(message)).toMatch(/^\p{ASCII}*$/u)
})

test.each(['smtp://ada:12/34@mail.example', 'smtp://ada:12#34@mail.example:587'])(
  'a password that would be a port and a path is refused: %s',
  (EMAIL_URL) => {
    expect(() => resolveSettings({ SECRET_KEY, EMAIL_URL })).toThrow(/percent-encoded/)
  },
)
