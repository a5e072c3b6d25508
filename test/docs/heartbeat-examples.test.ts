// The examples of docs/kinds/heartbeat.md that are no commands of a shell: units of systemd, a workflow and a CronJob.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { load } from 'js-yaml'
import { z } from 'zod'
import { root } from '../../scripts/docs-links.ts'
import { scheduleProblem } from '#core/monitors/call-schedule.ts'

const page = readFileSync(join(root, 'docs/kinds/heartbeat.md'), 'utf8')
const run = promisify(execFile)

/** The blocks of a language under a heading. */
function blocksUnder(heading: string, language: string): string[] {
  const [, section = ''] = page.split(`### ${heading}\n`)
  const [own = ''] = section.split('\n## ')[0]?.split('\n### ') ?? []
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
}

/** What a unit runs, with the address in it as systemd puts it there. */
function commandOf(unit: string, name: string, url: string): string {
  const [, command = assert.fail(name)] = new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit) ?? []
  return command.replaceAll('${HEARTBEAT_URL}', url)
}

const workflowSchema = z.strictObject({
  on: z.strictObject({ schedule: z.tuple([z.strictObject({ cron: z.string() })]) }),
  jobs: z.strictObject({
    backup: z.strictObject({
      'runs-on': z.literal('ubuntu-latest'),
      env: z.strictObject({ HEARTBEAT_URL: z.literal('${{ secrets.HEARTBEAT_URL }}') }),
      steps: z.array(z.strictObject({ if: z.literal('always()').optional(), run: z.string() })),
    }),
  }),
})

/** Of what Kubernetes knows (batch/v1) the members that the example has. */
const cronJobSchema = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('CronJob'),
  metadata: z.strictObject({ name: z.string() }),
  spec: z.strictObject({
    schedule: z.string(),
    timeZone: z.string(),
    concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']),
    jobTemplate: z.strictObject({
      spec: z.strictObject({
        backoffLimit: z.int(),
        template: z.strictObject({
          spec: z.strictObject({
            restartPolicy: z.enum(['Never', 'OnFailure']),
            containers: z.tuple([
              z.strictObject({
                name: z.string(),
                image: z.string(),
                env: z.tuple([
                  z.strictObject({
                    name: z.literal('HEARTBEAT_URL'),
                    valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name: z.string(), key: z.string() }) }),
                  }),
                ]),
                command: z.tuple([z.literal('/bin/sh'), z.literal('-c')]),
                args: z.tuple([z.string()]),
              }),
            ]),
          }),
        }),
      }),
    }),
  }),
})

describe('the examples of heartbeats', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heartbeat-examples-'))
  const backup = join(folder, 'backup.sh')
  const calls: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      calls.push(`${request.method} ${request.url} ${body}`.trim())
      response.end('OK')
    })
  })
  let url = ''
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    url = `http://127.0.0.1:${address.port}/ping/token`
  })
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  /** Runs commands beside a job that ends with this code; returns the calls, and the code with which they ended. */
  async function callsOf(script: string, code: number): Promise<{ made: string[]; ended: number }> {
    writeFileSync(backup, `#!/bin/sh\necho 'disk full'\nexit ${code}\n`)
    chmodSync(backup, 0o755)
    calls.length = 0
    const env = { PATH: process.env['PATH'] ?? '', HEARTBEAT_URL: url }
    const text = script.replaceAll('/usr/local/bin/backup.sh', backup)
    const ended = await run('/bin/sh', ['-c', text], { env, cwd: folder, timeout: 20_000 }).then(
      () => 0,
      (error: unknown) => z.object({ code: z.int() }).parse(error).code,
    )
    return { made: [...calls], ended }
  }

  it('of Kubernetes call when the job begins and ends, with its code and its log, and end as it does', async () => {
    const [text = assert.fail()] = blocksUnder('Kubernetes', 'yaml')
    const { spec } = cronJobSchema.parse(load(text))
    assert.equal(scheduleProblem({ expression: spec.schedule, timeZone: spec.timeZone }), null)
    const [script] = spec.jobTemplate.spec.template.spec.containers[0].args
    for (const code of [0, 3])
      assert.deepEqual(await callsOf(script, code), {
        made: ['GET /ping/token/start', `POST /ping/token/${code} disk full`],
        ended: code,
      })
  })

  it('of GitHub Actions call when the job begins, and how it ended', async () => {
    const [text = assert.fail()] = blocksUnder('GitHub Actions', 'yaml')
    const { on, jobs } = workflowSchema.parse(load(text))
    assert.equal(scheduleProblem({ expression: on.schedule[0].cron, timeZone: 'UTC' }), null)
    const { steps } = jobs.backup
    for (const [code, ending] of [
      [0, ''],
      [3, '/fail'],
    ] as const) {
      const expression = "${{ job.status != 'success' && '/fail' || '' }}"
      const runs = steps.map(({ run: command, if: condition }) => ({
        command: command.replace(expression, ending),
        isAlways: condition === 'always()',
      }))
      const script = runs.map(({ command, isAlways }) =>
        isAlways ? command : `test -n "$failed" || { ${command}; } || failed=1`,
      )
      const { made } = await callsOf(script.join('\n'), code)
      assert.deepEqual(made, ['GET /ping/token/start', `GET /ping/token${ending}`])
    }
  })

  describe('of systemd', () => {
    const [timer = '', service = '', failed = ''] = blocksUnder('systemd', 'ini')

    it('are units that it takes', async () => {
      await callsOf('true', 0)
      const units = Object.entries({
        'backup.timer': timer,
        'backup.service': service,
        'backup-failed.service': failed,
      })
      const paths = units.map(([name, text]) => {
        const path = join(folder, name)
        writeFileSync(path, text.replaceAll('/usr/local/bin/backup.sh', backup))
        return path
      })
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...paths], {
        env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
        timeout: 30_000,
      })
      assert.doesNotMatch(stderr, /backup/)
      const [, calendar = assert.fail()] = /^OnCalendar=(.*)$/m.exec(timer) ?? []
      await run('systemd-analyze', ['calendar', calendar], { timeout: 30_000 })
    })

    it('call when the job begins and when it has succeeded', async () => {
      const { made } = await callsOf(
        `${commandOf(service, 'ExecStartPre', url)}; ${commandOf(service, 'ExecStartPost', url)}`,
        0,
      )
      assert.deepEqual(made, ['GET /ping/token/start', 'GET /ping/token'])
    })

    it('send the journal when it has failed', async () => {
      const journal = `journalctl() { test "$*" = '--unit backup.service --lines 200 --output cat' && echo 'disk full'; }`
      const command = commandOf(failed, 'ExecStart', url).replace(
        "/bin/sh -c '",
        `/bin/sh -c '${journal.replaceAll("'", `'"'"'`)}; `,
      )
      assert.deepEqual((await callsOf(command, 0)).made, ['POST /ping/token/fail disk full'])
    })
  })
})
