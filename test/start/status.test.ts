import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type OperatorStatus, operatorStatusSchema } from '#core/operator-status.ts'
import { parseExposition } from '../support/exposition.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

type Said = { code: number | string; out: string; err: string }

async function ask(environment: Record<string, string>, args: string[] = []): Promise<Said> {
  const perigee = spawnPerigee({ args: ['status', ...args], environment })
  return { code: await perigee.ended(), out: perigee.stdout(), err: perigee.stderr() }
}

async function askJson(environment: Record<string, string>): Promise<OperatorStatus> {
  return operatorStatusSchema.parse(JSON.parse((await ask(environment, ['--json'])).out))
}

const token = `pgk_${'status'.repeat(7)}`.slice(0, 44)
const created = z.object({ data: z.looseObject({ id: z.uuid() }) })
const found = z.object({ data: z.array(z.looseObject({ status: z.string(), status_code: z.int().nullable() })) })

/** A monitor of a member asks from this machine, too. */
async function assertUnreadByChecks(url: string, path: string): Promise<void> {
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: path, kind: 'api', url: `${url}${path}` })
  const answer = await fetch(`${url}/api/v1/monitors`, { method: 'POST', headers, body })
  assert.equal(answer.status, 201)
  const { id } = created.parse(await answer.json()).data
  const results = async () =>
    found.parse(await (await fetch(`${url}/api/v1/monitors/${id}/results`, { headers })).json()).data
  await until('it is checked', async () => (await results()).length > 0, 30_000)
  const [first] = await results()
  assert.equal(first?.status_code, 401, JSON.stringify(first))
}

describe('perigee status', () => {
  it('asks the service on the data folder, and the database when none runs', async () => {
    const folder = serviceFolder()
    const place = { HOME: folder.path, PERIGEE_DATA_DIR: folder.dataFolder }
    // Checks may reach loopback, where a member's monitor would ask as a person here does.
    const service = folder.start({ PERIGEE_OWNER_TOKEN: token, PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' })
    const [, url = ''] = await service.printed(/^Perigee is at (\S+)\n/)
    await until(
      'the location is written down',
      async () => (await askJson(place)).cluster?.locations[0]?.online === true,
    )

    const running = await ask(place)
    assert.equal(running.code, 0, running.err)
    assert.match(running.out, /^answered by {2}\S+, api engine jobs prober, \d+\.\d+\.\d+, up \d+ s\n/)
    assert.match(running.out, /\n\S+ +alive +64 +0-63 +\d+ s +1\n/)
    assert.match(running.out, /\nlocal +online /)
    assert.match(running.out, /\nAll is well\.\n$/)
    assert.equal(running.err, '')

    const file = join(folder.dataFolder, 'operator.token')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const asOperator = { Authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` }
    const metrics = await fetch(`${url}/metrics`, { headers: asOperator })
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const { value } = parseExposition(await metrics.text())
    assert.equal(value('perigee_partitions'), 64)
    assert.equal(value('perigee_location_probers{location="local"}'), 1)

    for (const path of ['/metrics', '/operator/status']) {
      const { status, headers } = await fetch(`${url}${path}`)
      assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer realm="perigee operator"'], path)
      await assertUnreadByChecks(url, path)
    }

    service.child.kill('SIGTERM')
    assert.equal(await service.ended(), 0)
    const stopped = await ask(place)
    assert.equal(stopped.code, 1)
    assert.equal(
      stopped.err,
      'No engine is running, so nothing is checked.\n64 of 64 partitions are held by no engine.\n',
    )
    assert.doesNotMatch(stopped.out, /answered by|All is well/)
    const json = await askJson(place)
    assert.equal(json.process, null)
    assert.equal(json.troubles.length, 2)
    await rm(folder.dataFolder, { recursive: true })
  })

  it('finds a service by its public address and the token of its metrics', async () => {
    const folder = serviceFolder()
    const service = folder.start({ PERIGEE_METRICS_TOKEN: 'm'.repeat(32) })
    const [, url = ''] = await service.printed(/^Perigee is at (\S+)\n/)
    const elsewhere = { PERIGEE_DATA_DIR: join(folder.path, 'empty'), PERIGEE_PUBLIC_URL: url }
    const known = { ...elsewhere, PERIGEE_METRICS_TOKEN: 'm'.repeat(32) }
    assert.equal((await askJson(known)).process?.roles.length, 4)
    assert.match((await ask(elsewhere)).err, /^http:\S+ requires a token: .*\nThere is no database in .*\n$/)
  })

  it('says in one line that there is nothing to be asked', async () => {
    const folder = serviceFolder()
    const empty = join(folder.path, 'empty')
    const nobody = await ask({ PERIGEE_DATA_DIR: empty, PERIGEE_PUBLIC_URL: 'http://127.0.0.1:1' })
    assert.deepEqual([nobody.code, nobody.out], [1, ''])
    assert.match(nobody.err, /^There is no database in .*\n$/)
  })

  it('takes no arguments', async () => {
    const said = await ask({}, ['now'])
    assert.equal(said.code, 2)
    assert.match(said.err, /^status takes no arguments\.\n\nperigee status \[--json\]\n/)
  })
})
