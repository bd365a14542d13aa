export { authenticateToken } from './authenticate-token.ts'
