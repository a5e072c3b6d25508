import { describe } from 'node:test'
import { brokerCases } from './oracle/brokers.ts'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'

const skip = oracleSkipReason(['mosquitto', 'mosquitto_rr', 'mosquitto_sub', 'sshd'])

describe('brokers, beside the clients of Mosquitto', { skip }, async () => {
  await compareWithOracles(await brokerCases())
})
