import { createElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { useAuth } from '../../src/react.ts'

// A page with React that shows who is signed in.

function Name({ client }) {
  const { status, user } = useAuth(client)
  return createElement('p', null, `${status}: ${user?.username ?? 'nobody'}`)
}

const namesOf = (client) => [
  createElement(Name, { client, key: 1 }),
  createElement(Name, { client, key: 2 }),
]

globalThis.show = (client) => createRoot(document.body).render(namesOf(client))

/** Takes over what a server has rendered. Adds the differences to the list. */
globalThis.hydrate = (client, differences) =>
  hydrateRoot(document.body, namesOf(client), {
    onRecoverableError: (error) => differences.push(error.message),
  })
