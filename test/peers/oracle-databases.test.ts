import { describe } from 'node:test'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { databaseCases } from './oracle/databases.ts'

const skip = oracleSkipReason([
  'redis-server',
  'redis-cli',
  'setpriv',
  'sshd',
  'check_tcp',
  'check_pgsql',
  'check_mysql',
  'check_mysql_query',
  'mariadbd',
])

describe('databases, beside monitoring-plugins and blackbox_exporter', { skip }, async () => {
  await compareWithOracles(await databaseCases())
})
