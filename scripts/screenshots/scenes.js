import { PASSWORD } from './site.js'

const at = (path) => async (page) => {
  await page.goto(`/account/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const behind = (part) => async (page, site) => {
  await page.goto(await site.mailedLink(part))
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Every page, and how one gets there. */
export const scenes = [
  { name: 'login', show: at('login/') },
  { name: 'login-refused', show: refused },
  { name: 'login-code', show: at('login/code/') },
  { name: 'register', show: at('register/') },
  { name: 'register-refused', show: weakPassword },
  { name: 'check-your-mail', show: at('check-your-mail/') },
  { name: 'forgotten', show: at('password/reset/') },
  { name: 'reset', show: behind('/password/reset/') },
  { name: 'confirm', show: behind('/confirm/') },
  { name: 'too-late', show: at('confirm/nothing') },
  { name: 'account', show: account },
  { name: 'admin-users', show: admin('') },
  { name: 'admin-user', show: adminUser },
  { name: 'admin-deactivate', show: deactivate },
  ...['audit', 'mail', 'keys', 'findings', 'figures'].map((path) => ({
    name: `admin-${path}`,
    show: admin(`${path}/`),
  })),
]

async function logIn(page, password) {
  await at('login/')(page)
  await page.getByLabel('Username or e-mail address').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function refused(page) {
  await logIn(page, 'wrong')
  await page.getByText('is wrong').waitFor()
}

async function weakPassword(page) {
  await at('register/')(page)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('E-mail address').fill('nobody')
  await page.getByLabel('Password', { exact: true }).fill('kitchen7')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Enter a valid email address').waitFor()
}

async function account(page) {
  await logIn(page, PASSWORD)
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  await page.getByText('This device').waitFor()
}

function admin(path) {
  return async (page, { admin: { origin, cookie } }) => {
    await page.context().addCookies([cookie])
    await page.goto(`${origin}/admin/${path}`)
    await page.waitForLoadState('networkidle')
  }
}

async function adminUser(page, site) {
  await admin('?q=ada.lovelace')(page, site)
  await page.getByRole('link', { name: 'ada.lovelace' }).click()
  await page.getByRole('button', { name: 'Delete' }).waitFor()
}

async function deactivate(page, site) {
  await adminUser(page, site)
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('dialog').waitFor()
}
