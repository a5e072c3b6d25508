import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import type { z } from 'zod'
import { operations } from '#operations/index.ts'
import { apiRoot } from '../../src/http/api-routes.ts'
import type { Certificate } from '../support/certificates.ts'
import { startNatsServer } from '../support/nats-server.ts'
import type { Perigee } from '../support/perigee-process.ts'
import { assertReply } from '../support/reply-schema.ts'
import { serviceFolder } from '../support/service-folder.ts'

export type Service = {
  perigee: Perigee
  dataFolder: string
  url: string
  /** Asks the API with the token that the first start printed; fails when the answer is not what its operation says. */
  ask: <T>(schema: z.ZodType<T>, request: Asked) => Promise<T>
}

export type Asked = { operation: string; id?: string; body?: unknown }

export const locationCodes = ['amsterdam', 'boston', 'chennai']

/** The service as a person starts it, in a folder of its own. */
export async function startService(of: { smtpUrl: string; authority: Certificate }): Promise<Service> {
  const { path, dataFolder, start } = serviceFolder()
  const authorityFile = join(path, 'authority.pem')
  writeFileSync(authorityFile, of.authority.pem)
  const perigee = start({
    ...(await transport()),
    NODE_EXTRA_CA_CERTS: authorityFile,
    PERIGEE_LOCATIONS: locationCodes.map((code) => `${code}=${code}`).join(','),
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_SMTP_URL: of.smtpUrl,
    PERIGEE_READS_PER_MINUTE: '100000',
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)
  const [, token = ''] = await perigee.printed(/shown only once: (pgk_[A-Za-z0-9]{40})$/m)
  return { perigee, dataFolder, url, ask: (schema, request) => ask(schema, { url, token, ...request }) }
}

/** The bus is in memory, or a broker with `PERIGEE_TEST_BUS=nats`; clients must see no difference. */
async function transport(): Promise<Record<string, string>> {
  if (process.env['PERIGEE_TEST_BUS'] !== 'nats') return {}
  const broker = await startNatsServer()
  after(broker.stop)
  return { PERIGEE_NATS_URL: `nats://127.0.0.1:${broker.port}` }
}

async function ask<T>(schema: z.ZodType<T>, sent: Asked & { url: string; token: string }): Promise<T> {
  const operation = operations.find(({ name }) => name === sent.operation) ?? assert.fail(sent.operation)
  const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }
  const response = await fetch(`${sent.url}${apiRoot}${operation.path.replace('{id}', sent.id ?? '')}`, {
    method: operation.method,
    headers: { 'X-API-Key': sent.token, ...(sent.body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...body,
  })
  const text = await response.text()
  assert.equal(response.status, operation.success.status, text)
  const answer: unknown = JSON.parse(text)
  assertReply(operation, { status: response.status, headers: response.headers, body: answer })
  return schema.parse(answer)
}
