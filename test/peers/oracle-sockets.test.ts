import { describe } from 'node:test'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { socketCases } from './oracle/sockets.ts'

const skip = oracleSkipReason(['sshd', 'check_tcp'])

describe('servers of messages, beside monitoring-plugins and blackbox_exporter', { skip }, async () => {
  await compareWithOracles(await socketCases())
})
