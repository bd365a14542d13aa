import { getApp } from '../../../lib/app.ts'

export async function GET(request: Request): Promise<Response> {
  const { auth, notesOf } = await getApp()
  const user = await auth.requireUser(request)
  return user instanceof Response ? user : Response.json(notesOf(user.pk))
}
