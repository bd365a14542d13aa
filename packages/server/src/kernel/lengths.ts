/** How long names, passwords and tokens may be. The pages say it, too. */
export const USERNAME_MAX = 150
/** Of a first or last name. */
export const NAME_MAX = 150
/** Of a key for programs. */
export const KEY_NAME_MAX = 100
export const EMAIL_MAX = 254
/** Of a host in a URL. Parsing one takes quadratic time, so its length is checked before. */
export const HOST_MAX = 253
export const PASSWORD_MIN = 8
/** Every hash scheme can take a password of this length. */
export const PASSWORD_MAX = 128
/** Of a token or a key of the service. */
export const SECRET_MAX = 4096
