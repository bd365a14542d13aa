import { flood } from './flood.js'
import { foreignAddress } from './foreign-address.js'
import { forgedToken } from './forged-token.js'
import { forwarded } from './forwarded.js'
import { longTexts } from './long-texts.js'
import { rows } from './rows.js'
import { spellings } from './spellings.js'

export const attacks = [
  ...longTexts,
  forwarded,
  ...foreignAddress,
  ...spellings,
  rows,
  forgedToken,
  flood,
]
