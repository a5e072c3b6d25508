import { describe } from 'node:test'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { nameCases } from './oracle/names.ts'

const skip = oracleSkipReason(['named', 'dig', 'rbldnsd', 'check_dig', 'negate'])

describe('names, beside monitoring-plugins and blackbox_exporter', { skip }, async () => {
  await compareWithOracles(await nameCases())
})
