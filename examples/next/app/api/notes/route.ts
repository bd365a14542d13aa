import { getApp } from '../../../lib/app.ts'

export async function GET(request: Request): Promise<Response> {
  const { auth, RequestRefused, notesOf } = await getApp()
  try {
    const user = await auth.requireUser(request)
    return Response.json(notesOf(user.pk))
  } catch (error) {
    if (error instanceof RequestRefused) return error.getResponse()
    throw error
  }
}
