import { describe } from 'node:test'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { directoryCases } from './oracle/directories.ts'

const skip = oracleSkipReason(['slapd', 'slapadd', 'setpriv', 'sshd', 'check_ldap'])

describe('directories, beside monitoring-plugins', { skip }, async () => {
  await compareWithOracles(await directoryCases())
})
