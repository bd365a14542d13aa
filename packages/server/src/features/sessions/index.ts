export { authenticateSession } from './authenticate-session.ts'
