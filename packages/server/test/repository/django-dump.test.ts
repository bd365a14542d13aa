import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { RECIPE } from '../../../django/src/settings/recipe.ts'
import { newCli } from '../cli/support/cli.ts'
import { findPython } from './support/django.ts'
import { examplesIn } from './support/documents.ts'

// The recipe of docs/coming-from-dj-rest-auth.md, run inside Django. Without a Python that has Django,
// this is skipped. PYTHON names one. The packages around Django are stand-ins with their names.
const PAGE = 'docs/coming-from-dj-rest-auth.md'
const python = findPython('import django')
const run = promisify(execFile)

const MANAGE = `
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
`

/** Older versions of Django run a command where its functions cannot see its names. */
const MANAGE_AS_BEFORE = `
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django
def handle(command):
    django.setup()
    exec(command)
handle(sys.argv[3])
`

const SETTINGS = `
from datetime import timedelta
SECRET_KEY = "django-insecure-of-fifty-characters-as-django-made-it-x"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "dj_rest_auth.registration"]
ROOT_URLCONF = "project.urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
REST_AUTH = {"USE_JWT": True}
SIMPLE_JWT = {"ACCESS_TOKEN_LIFETIME": timedelta(minutes=5), "AUTH_HEADER_TYPES": ("JWT",)}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_USER_DISPLAY = lambda user: user.email
`

const VIEWS = `
from django.views import View
class LoginView(View): pass
class UserDetailsView(View): pass
`

const REGISTRATION_VIEWS = `
from django.views import View
from dj_rest_auth.views import LoginView
class RegisterView(View): pass
class SocialLoginView(LoginView): pass
`

const URLS = `
import functools
from django.http import HttpResponse
from django.urls import include, path, re_path
from dj_rest_auth.registration.views import RegisterView, SocialLoginView
from dj_rest_auth.views import LoginView, UserDetailsView
class Adapter: provider_id = "google"
class Google(SocialLoginView):
    adapter_class = Adapter
    callback_url = "https://app.example.com/google"
class Login(LoginView): pass
answer = lambda request, **more: HttpResponse()
endpoints = [path("login/", Login.as_view()), re_path(r"user/?$", UserDetailsView.as_view())]
urlpatterns = [
    path("api/auth/", include(endpoints)),
    re_path(r"^api/join/$", RegisterView.as_view(), name="rest_register"),
    path("api/auth/google/", Google.as_view()),
    re_path(r"^reset/(?P<uidb64>[0-9A-Za-z_-]+)/(?P<token>.+)/$", answer, name="password_reset_confirm"),
    path("else/", functools.partial(answer, more=1)),
]
`

async function newProject(manage: string) {
  const { cwd, run: runCli } = await newCli()
  const files = {
    'manage.py': manage,
    'project/__init__.py': '',
    'project/settings.py': SETTINGS,
    'project/urls.py': URLS,
    'dj_rest_auth/__init__.py': '',
    'dj_rest_auth/views.py': VIEWS,
    'dj_rest_auth/registration/__init__.py': '',
    'dj_rest_auth/registration/views.py': REGISTRATION_VIEWS,
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true })
    await writeFile(join(cwd, name), text)
  }
  await mkdir(join(cwd, 'bin'))
  await writeFile(join(cwd, 'bin/python'), `#!/bin/sh\nexec ${python} "$@"\n`, { mode: 0o755 })
  const env = { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` }
  const dump = () => run('sh', ['-c', RECIPE], { cwd, env })
  return { cwd, dump, runCli }
}

test.skipIf(python === null)('the recipe writes what the command needs', async () => {
  const dumps = []
  for (const manage of [MANAGE, MANAGE_AS_BEFORE]) {
    const { cwd, dump, runCli } = await newProject(manage)
    expect((await dump()).stdout).toContain('Wrote django-settings.json')
    const file = join(cwd, 'django-settings.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { stdout } = await runCli(['settings', '--from-django', file])
    expect(JSON.parse(stdout)).toMatchObject({
      AUTH_PREFIX: '/api/auth/',
      ROUTES: {
        'registration/': '/api/join/',
        'password/reset/confirm/{uid}/{token}/': '/reset/{uid}/{token}/',
      },
      REST_AUTH: { USE_JWT: true },
      SIMPLE_JWT: { ACCESS_TOKEN_LIFETIME: '5m', AUTH_HEADER_TYPES: ['JWT'] },
      ACCOUNT: { LOGIN_METHODS: ['email'] },
    })
    dumps.push(JSON.parse(await readFile(file, 'utf8')).latchkey)
  }
  expect(dumps[0]).toEqual(dumps[1])
  expect(dumps[0].versions.Django).toMatch(/^\d+\.\d+/)
  expect(dumps[0].user).toMatchObject({ username_field: 'username' })
})

test.skipIf(python === null)(
  'a project whose URLs cannot be read is dumped without them',
  async () => {
    const { cwd, dump, runCli } = await newProject(MANAGE)
    await writeFile(join(cwd, 'project/urls.py'), 'import a_package_that_is_not_there')
    await dump()
    const { stdout, stderr } = await runCli(['settings', '--from-django', 'django-settings.json'])
    expect(JSON.parse(stdout).MODULES).not.toContain('registration')
    expect(stderr).toContain('the dump has no URL patterns')
  },
)

test('the page shows the recipe, as the command prints it', () => {
  const shown = examplesIn(PAGE).filter(({ language }) => language === 'sh')
  expect(shown.map(({ text }) => text.trim())).toContain(RECIPE)
})

test('a shell changes nothing in the recipe', () => {
  const [, inside = ''] = /^python manage\.py shell -c "([\s\S]*)"$/.exec(RECIPE) ?? []
  expect(inside).toContain('dump()')
  expect(inside).not.toMatch(/["$`\\!]/)
})
