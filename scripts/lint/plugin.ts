// Our own rules of oxlint's (.oxlintrc.json).
import { boundaries } from './boundaries.ts'
import { markedTexts } from './marked-texts.ts'
import { noSleeps } from './no-sleeps.ts'
import { storeSql } from './store-sql.ts'

export default {
  meta: { name: 'perigee' },
  rules: { boundaries, 'marked-texts': markedTexts, 'no-sleeps': noSleeps, 'store-sql': storeSql },
}
