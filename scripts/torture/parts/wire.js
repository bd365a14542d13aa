import { connect } from 'node:net'

/** Sends bytes that are perhaps no request, and returns an answer as the client of `client.js` does. */
export function sendBytes(origin, bytes, patienceMs) {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const answer = (status) => {
      socket.destroy()
      resolve({ status, text })
    }
    const timer = setTimeout(() => answer('late'), patienceMs)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    // A connection that is closed without a word is an answer, too.
    socket.on('close', () => {
      clearTimeout(timer)
      answer(Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0))
    })
    // The half-closed side tells the server that no more will come.
    socket.end(bytes)
  })
}
