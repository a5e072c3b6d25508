import { describe } from 'node:test'
import { callCases } from './oracle/calls.ts'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'

const skip = oracleSkipReason(['sshd'])

describe('servers of calls, beside blackbox_exporter', { skip }, async () => {
  await compareWithOracles(await callCases())
})
