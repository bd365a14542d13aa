import { headers } from 'next/headers'
import { getApp, url } from '../lib/app.ts'

export default async function Home() {
  const { auth, notesOf } = await getApp()
  const user = await auth.identify(new Request(url, { headers: await headers() }))
  if (!user) {
    return (
      <p>
        Nobody is signed in. <a href="/account/login/?next=/">Sign in</a>
      </p>
    )
  }
  return (
    <>
      <p>
        {user.username} is signed in. <a href="/account/">Your account</a>
      </p>
      <ul>
        {notesOf(user.pk).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  )
}
