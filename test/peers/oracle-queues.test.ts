import { describe } from 'node:test'
import { compareWithOracles, oracleSkipReason } from './oracle/compare.ts'
import { queueCases } from './oracle/queues.ts'

const skip = oracleSkipReason(['rabbitmq-server', 'epmd', 'amqp-publish', 'sshd'])

describe('brokers of AMQP, beside its clients', { skip }, async () => {
  await compareWithOracles(await queueCases())
})
