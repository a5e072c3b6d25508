import { describe } from 'node:test'
import { agentCases } from './oracle/agents.ts'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'

const skip = oracleSkipReason(['snmpd', 'snmpget', 'check_snmp'])

describe('agents of SNMP, beside monitoring-plugins', { skip }, async () => {
  await compareWithOracles(await agentCases())
})
