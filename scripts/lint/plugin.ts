// Our own rules of oxlint's (.oxlintrc.json).
import { boundaries } from './boundaries.ts'
import { markedTexts } from './marked-texts.ts'
import { storeSql } from './store-sql.ts'

export default {
  meta: { name: 'perigee' },
  rules: { boundaries, 'marked-texts': markedTexts, 'store-sql': storeSql },
}
