import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const NEEDED = 'import django, rest_framework, rest_framework_simplejwt, cryptography'

/** A Python with Django REST framework and simplejwt, or what else is needed; or null. */
export function findPython(needed = NEEDED): string | null {
  const candidates = [process.env.PYTHON, 'python3', '/usr/bin/python3']
  const isFit = (python: string | undefined): python is string => {
    if (python === undefined) return false
    try {
      execFileSync(python, ['-c', needed], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  return candidates.find(isFit) ?? null
}

/** Everything that the page does not show: an API that tells who is asking. */
const BASE = `
SECRET_KEY = "the key of the API itself, which signs nothing here"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "rest_framework"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "api.sqlite3"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
`

const URLS = `
from django.urls import path
from rest_framework.decorators import api_view
from rest_framework.response import Response


@api_view(["GET", "POST"])
def me(request):
    return Response({"id": str(request.user.id), "name": request.user.username})


urlpatterns = [path("", me)]
`

type Wish = { settings: string; files?: Record<string, string>; env?: Record<string, string> }

/** Starts Django in the folder. Returns its address. */
export async function startDjango(python: string, folder: string, wish: Wish): Promise<string> {
  const files = { ...wish.files, 'settings.py': `${BASE}\n${wish.settings}`, 'urls.py': URLS }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const env = {
    ...process.env,
    ...wish.env,
    DJANGO_SETTINGS_MODULE: 'settings',
    PYTHONPATH: folder,
    PYTHONUNBUFFERED: '1',
  }
  const django = (...args: string[]) => ['-W', 'ignore', '-m', 'django', ...args]
  execFileSync(python, django('migrate', '-v', '0'), { cwd: folder, env })
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(python, django('runserver', '--noreload', address), { cwd: folder, env })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  child.stderr.resume()
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('Quit the server')) break
  }
  return `http://${address}/`
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return port
}
