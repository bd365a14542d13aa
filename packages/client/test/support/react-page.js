import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { useAuth } from '../../src/react.ts'

// A page with React that shows who is signed in.

function Name({ client }) {
  const { status, user } = useAuth(client)
  return createElement('p', null, `${status}: ${user?.username ?? 'nobody'}`)
}

globalThis.show = (client) => {
  createRoot(document.body).render([
    createElement(Name, { client, key: 1 }),
    createElement(Name, { client, key: 2 }),
  ])
}
