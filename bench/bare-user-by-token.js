// For comparison: node:http and one prepared statement, doing what `GET user/` by token does.
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import Database from 'libsql'

const database = new Database(process.argv[2])
const lookup = database.prepare(
  'select users.* from tokens join users on users.id = tokens.user_id where tokens.digest = ?',
)

const server = createServer((request, response) => {
  const key = request.headers.authorization?.slice('Token '.length) ?? ''
  const [user] = lookup.all([hash('sha256', key, 'base64url')])
  const { id: pk, username, email, first_name, last_name } = user
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ pk, username, email, first_name, last_name }))
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/auth/\n`)
})
