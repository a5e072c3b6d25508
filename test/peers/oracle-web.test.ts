import { describe } from 'node:test'
import { oracleCertificates } from './oracle/certificates.ts'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { webCases } from './oracle/web.ts'

const skip = oracleSkipReason(['nginx', 'sshd', 'check_http', 'check_curl'])

describe('websites, beside monitoring-plugins and blackbox_exporter', { skip }, async () => {
  await compareWithOracles(await webCases(oracleCertificates()))
})
